import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadServiceConfig } from '../../../dist/service/config/service-config.js';
import { type RunningService, startService } from '../../../dist/service/serve.js';
import { createApiKey, createOrganisation } from '../../../dist/store/access.js';
import { openStore } from '../../../dist/store/postgres/open-store.js';
import type { Store } from '../../../dist/store/store.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.js';
import { createTables } from '../../support/stores.js';
import { createClient, listBlobs, type StartOptions, type TestService } from './running-service.js';

const ROLES = ['api', 'api', 'worker', 'worker'] as const;

let postgres: Promise<TestPostgres> | undefined;
/** Databases by the URLs of their services. */
const databases = new Map<string, string>();

/** Opens the database of a fleet that answers at the URL; undefined where no fleet does. */
export async function openFleetStore(url: string): Promise<Store | undefined> {
  const database = databases.get(url);
  return database === undefined ? undefined : await openDatabase(database);
}

const openDatabase = (url: string) => openStore({ url, maxConnections: 5, applicationName: 'ocr-test' });

/** Starts processes of each role on one database, and one address that leads to the api processes in turn. */
export async function startTestFleet({ config, documentProgram }: StartOptions): Promise<TestService> {
  postgres ??= startPostgres();
  const databaseUrl = await (await postgres).createDatabase();
  await createTables(databaseUrl);
  const directory = mkdtempSync(join(tmpdir(), 'ocr-fleet-test-'));
  const dataDirs = ROLES.map((role, index) => join(directory, `${role}-${index}`));
  const secretFile = join(directory, 'secret');
  const services: RunningService[] = [];
  for (const [index, role] of ROLES.entries()) {
    const dataDir = dataDirs[index] as string;
    mkdirSync(dataDir);
    const { config: defaults } = loadServiceConfig({
      flags: { port: 0, dataDir, workers: 2, ocrEngine: 'wasm', role, databaseUrl, secretFile },
      env: {},
    });
    services.push(
      await startService(
        { ...defaults, ...config },
        { logLevel: 'silent', ...(documentProgram === undefined ? {} : { documentProgram }) },
      ),
    );
  }
  const front = await startFront(services.slice(0, 2).map(({ url }) => Number(new URL(url).port)));
  databases.set(front.url, databaseUrl);
  const store = await openDatabase(databaseUrl);
  const key = await createApiKey(store, await createOrganisation(store, 'local', { plan: 'ENTERPRISE' }), 'first key');
  await store.close();
  const dataDir = dataDirs[0] as string;
  writeFileSync(join(dataDir, 'api-key'), key);
  const stop = async () => {
    await Promise.all(services.map((service) => service.stop()));
    front.close();
  };
  return {
    ...createClient(front.url, key),
    service: { ...(services[0] as RunningService), stop },
    url: front.url,
    key,
    dataDir,
    listBlobs: () => dataDirs.flatMap((path) => listBlobs(path)),
    remove: async () => {
      await stop();
      rmSync(directory, { recursive: true, force: true });
      databases.delete(front.url);
      if (databases.size > 0) return;
      const server = await postgres;
      postgres = undefined;
      await server?.close();
    },
  };
}

async function startFront(ports: readonly number[]): Promise<{ url: string; close(): void }> {
  let connections = 0;
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({
      host: '127.0.0.1',
      port: ports[connections++ % ports.length] as number,
      allowHalfOpen: true,
    });
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          open.delete(one);
          other.destroy();
        });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
