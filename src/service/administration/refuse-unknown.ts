import { OcrError } from '../../contract/ocr-error.js';
import type { Store } from '../../store/store.js';

/** An empty list would read as "nothing happened". @throws OcrError NOT_FOUND */
export function refuseUnknownOrganisation(store: Store, organisationId: string | undefined): void {
  if (organisationId === undefined) return;
  if (store.read.get('SELECT 1 AS found FROM organisation WHERE id = ?', organisationId) !== undefined) return;
  throw new OcrError('NOT_FOUND', `There is no organisation ${organisationId}`, {
    status: 404,
    hint: 'ocr admin orgs list',
  });
}
