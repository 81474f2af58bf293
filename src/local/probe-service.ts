import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type HealthBody,
  isHealthProof,
  parseServiceFile,
  SERVICE_FILE_NAME,
  type ServiceFile,
} from '../contract/service-file.js';

const PROBE_TIMEOUT_MS = 3_000;
const MAX_BODY_BYTES = 64 * 1024;

export interface FoundService {
  file: ServiceFile;
  health: HealthBody;
}

/**
 * The service that holds this data directory and answers, or undefined. A `service.json` whose holder was killed is not
 * believed: its port may belong to another program by now, which must not be sent our key.
 */
export async function probeService(dataDir: string): Promise<FoundService | undefined> {
  const file = await readServiceFile(dataDir);
  if (file === undefined) return undefined;
  const nonce = randomBytes(16).toString('hex');
  const health = await askHealth(`${file.url}/healthz?nonce=${nonce}`);
  if (health?.status !== 'ok' || !isHealthProof(file.proofKey, nonce, health.proof)) return undefined;
  return { file, health };
}

export async function readServiceFile(dataDir: string): Promise<ServiceFile | undefined> {
  try {
    return parseServiceFile(readFileSync(join(dataDir, SERVICE_FILE_NAME), 'utf8'));
  } catch {
    return undefined;
  }
}

async function askHealth(url: string): Promise<HealthBody | undefined> {
  // Importing node:http as a module costs 50 ms on Node 22 and later; this does not.
  const http = process.getBuiltinModule('node:http');
  return await new Promise((resolve) => {
    const request = http.get(url, { agent: false, timeout: PROBE_TIMEOUT_MS }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > MAX_BODY_BYTES) request.destroy();
      });
      response.on('end', () => resolve(parseHealth(text)));
      response.on('error', () => resolve(undefined));
      response.on('close', () => resolve(undefined));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(undefined));
  });
}

function parseHealth(text: string): HealthBody | undefined {
  try {
    const value = JSON.parse(text) as Partial<HealthBody> | null;
    return typeof value?.instanceId === 'string' && typeof value.status === 'string'
      ? (value as HealthBody)
      : undefined;
  } catch {
    return undefined;
  }
}
