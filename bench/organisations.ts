import { join } from 'node:path';
import { createApiKey, createOrganisation } from '../src/store/access.js';
import { openStore } from '../src/store/sqlite/open-store.js';

/** Creates organisations without limits, beside the service that holds the data directory. */
export async function createOrganisations(
  dataDir: string,
  count: number,
): Promise<Array<{ organisationId: string; key: string }>> {
  const store = await openStore(join(dataDir, 'ocr.db'));
  try {
    const organisations: Array<{ organisationId: string; key: string }> = [];
    for (let i = 0; i < count; i++) {
      const organisationId = await createOrganisation(store, `Organisation ${i}`, { plan: 'ENTERPRISE' });
      organisations.push({ organisationId, key: await createApiKey(store, organisationId, 'bench') });
    }
    return organisations;
  } finally {
    await store.close();
  }
}
