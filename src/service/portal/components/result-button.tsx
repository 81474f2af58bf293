import type { JobRow } from '../../../store/jobs.js';
import { MEMBERS } from '../roles.js';
import { useFrame } from './frame.js';
import { PostForm } from './post-form.js';

/** A button that shows the result of a job while it is kept, to those who may see it. The look is noted in the audit log. */
export function ResultButton({ jobId, hasResult, deletedAtMs }: Pick<JobRow, 'jobId' | 'hasResult' | 'deletedAtMs'>) {
  const { role, organisation } = useFrame();
  if (hasResult !== 1 || deletedAtMs !== null || organisation === undefined || !MEMBERS.includes(role)) return null;
  return (
    <PostForm to={`/job-queues/${jobId}/result`}>
      <button class="button" type="submit">
        Show the result
      </button>
    </PostForm>
  );
}
