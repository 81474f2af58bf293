import { createHash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Orders files by the seed of the run, but keeps files of a project together, since a process takes no file of
 * another one; and the short ones of `unit` last, so that all cores have work until the end.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    const placeOf = ({ project, moduleId }: TestSpecification) =>
      `${project.name === 'unit' ? 2 : 1}${createHash('sha256').update(`${seed} ${moduleId}`).digest('hex')}`;
    const places = new Map(files.map((file) => [file, placeOf(file)]));
    return files.toSorted((a, b) => ((places.get(a) ?? '') < (places.get(b) ?? '') ? -1 : 1));
  }
}
