import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { hashToken, mintToken } from '../../dist/service/secrets/tokens.js';
import { createOrganisation } from '../../dist/store/access.js';
import { insertLink, redeemLink } from '../../dist/store/portal-links.js';
import { openStore } from '../../dist/store/sqlite/open-store.js';
import { openLiveStream } from './support/live-stream.js';
import { HOSTILE_PROGRAM } from './support/running-service.js';
import { killSpawnedServices, spawnService } from './support/spawned-service.js';

const directories: string[] = [];
afterEach(() => {
  killSpawnedServices();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

async function start() {
  const dataDir = mkdtempSync(join(tmpdir(), 'ocr-portal-live-'));
  directories.push(dataDir);
  return { dataDir, ...(await spawnService(dataDir, {}, HOSTILE_PROGRAM)) };
}

/** Opens as many streams as a session may have. */
async function openStreams(url: string, dataDir: string, sessions: number) {
  const store = await openStore(join(dataDir, 'ocr.db'));
  const organisationId = await createOrganisation(store, 'Alder');
  const streams = [];
  for (let session = 0; session < sessions; session++) {
    const [link, token] = [mintToken(), mintToken()];
    const identity = { organisationId, role: 'owner' as const, name: 'Ada' };
    await insertLink(store, { hash: hashToken(link), ...identity, expiresAtMs: Date.now() + 60_000 });
    await redeemLink(store, hashToken(link), { hash: hashToken(token) });
    for (let i = 0; i < 4; i++) streams.push(await openLiveStream(url, `ocr_session=${token}`));
  }
  await store.close();
  return streams;
}

test('SIGTERM with 52 open streams → the service ends while one with an open call still waits for it', async () => {
  const [live, held] = [await start(), await start()];
  const streams = await openStreams(live.url, live.dataDir, 13);
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  // A call whose body never ends is open until the time for answers is over.
  const call = http.request(`${held.url}/v1/ocr/TEXT_EXTRACTION`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${held.key}`,
      'content-type': 'multipart/form-data; boundary=b',
      expect: '100-continue',
    },
  });
  call.on('error', () => {});
  call.flushHeaders();
  await new Promise((resolve) => call.once('continue', resolve));
  const beganAt = performance.now();
  const ends = [held, live].map(({ child, ended }) => {
    child.kill('SIGTERM');
    return ended.then((code) => ({ code, isLive: child === live.child }));
  });
  expect(await Promise.race(ends)).toEqual({ code: 0, isLive: true });
  console.log(`52 streams ended in ${Math.round(performance.now() - beganAt)} ms`);
  await Promise.all(streams.map(({ ended }) => ended));
  call.destroy();
});
