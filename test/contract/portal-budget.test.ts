import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createApiKey, createOrganisation } from '../../dist/store/access.js';
import { examples } from '../fixtures/manifest.js';
import { describePortal } from './support/portal.js';
import { writeDelivery, writeEndpoint, writeJob } from './support/portal-paths.js';

const FILE_NAME = 'quarterly report of the northern branches.pdf';
const LISTS = ['/request-logs', '/job-queues', '/webhooks', '/api-keys'];

describePortal('budget', (portal) => {
  const enterBusy = async () => {
    const { store, enter } = portal();
    const orgId = await createOrganisation(store, 'Northern Branches');
    const endpointId = await writeEndpoint(store, orgId, 'https://hooks.example.com/services/ocr');
    for (let i = 0; i < 60; i++) {
      await writeJob(store, orgId, i % 9 === 0 ? 'failed' : 'completed', FILE_NAME);
      await writeDelivery(store, orgId, endpointId, i % 9 === 0 ? 'dead' : 'delivered');
      await createApiKey(store, orgId, `scanner of branch ${i}`, {});
    }
    return { orgId, visitor: await enter({ orgId, role: 'owner', name: 'Ada' }) };
  };

  test('pages, lists of 50 rows among them → at most 60 KB of HTML, 30 KB of script and 20 KB of style each', async () => {
    const { orgId, visitor } = await enterBusy();
    const read = async (asset: string) => (await visitor.get(asset)).text;
    const tried = await visitor.upload('/functions/LAYOUT_ANALYSIS/try', {
      name: 'report.pdf',
      content: readFileSync(examples.report.path),
    });
    for (const path of [
      ...LISTS,
      '/overview',
      '/functions',
      '/functions/TEXT_EXTRACTION/try',
      tried.headers.location?.replace('/portal', '') ?? '',
      '/organisation',
      '/webhooks/check-signature',
    ]) {
      const text = await read(path);
      if (LISTS.includes(path)) expect(text.match(/<tr id="(req|job|dlv|key)_/g), path).toHaveLength(50);
      expect(Buffer.byteLength(text), path).toBeLessThanOrEqual(60_000);
      let styleBytes = 0;
      for (const [, asset = ''] of text.matchAll(/href="\/portal(\/assets\/[^"]+\.css)"/g))
        styleBytes += Buffer.byteLength(await read(asset));
      expect(styleBytes, path).toBeLessThanOrEqual(20_000);
      expect(text).toContain('portal.css');
      const scripts = new Map<string, number>();
      const load = async (asset: string): Promise<void> => {
        if (scripts.has(asset)) return;
        const script = await read(asset);
        scripts.set(asset, Buffer.byteLength(script));
        const folder = asset.slice(0, asset.lastIndexOf('/'));
        for (const [, name] of script.matchAll(/(?:from |import |import\()'\.(\/[\w-]+\.js)'/g))
          await load(folder + name);
      };
      for (const [, asset = ''] of text.matchAll(/src="\/portal(\/assets\/[^"]+\.js)"/g)) await load(asset);
      expect([...scripts.keys()].join(' '), 'imports are followed').toContain('idiomorph.js');
      const bytes = [...scripts.values()].reduce((sum, size) => sum + size, 0);
      expect(bytes, path).toBeLessThanOrEqual(30_000);
    }
    // Links of an operator name the organisation too.
    const operator = await portal().enter({ role: 'operator' });
    for (const path of LISTS) {
      const { text } = await operator.get(`${path}?organisation=${orgId}`);
      expect(Buffer.byteLength(text), `${path} of an operator`).toBeLessThanOrEqual(60_000);
    }
  });
});
