import { OcrError } from '../../contract/ocr-error.js';
import { findLocalOrganisation } from '../../store/access.js';
import { withAdministration } from './open.js';
import { createPortalLink, type PortalLink } from './portal-links.js';

/** Makes a link for the owner of this machine's own organisation. @throws OcrError LOCAL_UNAVAILABLE */
export async function createOwnPortalLink(dataDir: string, env: NodeJS.ProcessEnv): Promise<PortalLink> {
  return await withAdministration({ dataDir }, env, async (administration) => {
    const orgId = await findLocalOrganisation(administration.store);
    if (orgId === undefined)
      throw new OcrError('LOCAL_UNAVAILABLE', `The service in ${dataDir} has no organisation of this machine`, {
        hint: `ocr admin portal --role operator --data-dir ${dataDir}`,
      });
    return await createPortalLink(administration, { orgId, role: 'owner' });
  });
}
