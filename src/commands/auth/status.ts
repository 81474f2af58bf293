import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../context.js';
import type { OcrError } from '../../contract/ocr-error.js';
import { maskApiKey } from '../../contract/secrets.js';
import { FIRST_KEY_FILE_NAME } from '../../contract/service-file.js';
import { PROFILE_SETTINGS } from '../../settings/known-settings.js';
import { noApiKey } from '../../settings/no-api-key.js';
import { LOCAL_PROFILE, type ServerSetting } from '../../settings/resolve-settings.js';
import { type Account, findNextRefusal, NO_ACCOUNT, readAccount } from './account.js';
import { askAboutKey } from './check-key.js';

interface Status extends Account {
  /** Profile of the settings, and of the address unless `baseUrlSource` names something else. */
  profile: string;
  /** Null when the service on this machine does not run. */
  baseUrl: string | null;
  /** Origin of the address; null for the service on this machine, which needs none. */
  baseUrlSource: string | null;
  host: string | null;
  /** Prefix and last four characters of the key. */
  key: string | null;
  /** Origin of the key. */
  source: string | null;
  /** Null when the service could not be asked. */
  accepted: boolean | null;
}

interface Found {
  baseUrl: string | undefined;
  apiKey: string | undefined;
  source: string | undefined;
}

/**
 * Prints which key is used for which service, if the service accepts it, and what its organisation has left. The service on this
 * machine is not started. The exit code is 4 where the next document would be refused.
 */
export async function status(context: Context): Promise<void> {
  const { output } = context;
  const settings = await context.settings();
  const server = settings.server.value;
  const profile = settings.profile.value;
  const found = server.kind === 'local' ? await findLocal(context) : findRemote(server, profile);
  const { baseUrl, apiKey, source } = found;
  let problem: OcrError | undefined;
  let account: Account | undefined;
  if (baseUrl !== undefined && apiKey !== undefined) {
    const key = { baseUrl, apiKey, timeoutMs: settings.timeoutMs.value };
    const asked = await askAboutKey(context, key, readAccount);
    account = asked.answer;
    problem = asked.problem;
  } else if (server.kind !== 'local') {
    problem = noApiKey(server.baseUrl, context.flags);
  }
  const isAsked = baseUrl !== undefined && apiKey !== undefined;
  const isRefused = problem?.status === 401 || problem?.status === 403;
  const { flag, variable } = PROFILE_SETTINGS['base-url'];
  const sources = { flag, environment: variable, profile: `profile ${profile}`, 'built-in': undefined };
  const state: Status = {
    profile,
    baseUrl: baseUrl ?? null,
    baseUrlSource: sources[settings.server.origin] ?? null,
    host: baseUrl === undefined ? null : new URL(baseUrl).host,
    key: apiKey === undefined ? null : maskApiKey(apiKey),
    source: source ?? null,
    accepted: !isAsked ? null : problem === undefined ? true : isRefused ? false : null,
    ...(account ?? NO_ACCOUNT),
  };
  problem ??= account && findNextRefusal(account);
  if (output.isJson) {
    const { errorEnvelope } = await import('../../io/messages/error-text.js');
    await output.json({ ...state, ...(problem === undefined ? {} : errorEnvelope(problem)) });
    context.exitCode = problem?.exitCode ?? context.exitCode;
    return;
  }
  await output.properties([
    // The profile `local` stands for this machine, but the address is another service's.
    ['Profile', server.kind === 'remote' && profile === LOCAL_PROFILE ? null : profile],
    ['Service', state.baseUrl ?? 'on this machine, started when needed'],
    ['Service from', state.baseUrlSource],
    ['Key', state.key ?? 'none'],
    ['Key from', state.source ?? 'nowhere'],
    ['State', state.accepted === null ? 'not checked' : state.accepted ? 'accepted' : 'refused'],
    [
      'Organisation',
      state.support ? 'none: a support key reads requests and jobs, and sends nothing' : state.organisation,
    ],
    ['Plan', state.plan],
    ['Subscription', state.subscription],
    ['Documents', state.documents && describeDocuments(state.documents)],
  ]);
  if (problem !== undefined) throw problem;
}

function findRemote(server: Extract<ServerSetting, { kind: 'remote' }>, profile: string): Found {
  const { baseUrl, apiKey } = server;
  const source = apiKey?.origin === 'environment' ? 'OCR_API_KEY' : `profile ${profile}`;
  return { baseUrl, apiKey: apiKey?.value, source: apiKey === undefined ? undefined : source };
}

async function findLocal(context: Context): Promise<Found> {
  const { dataDir } = await context.directories();
  const { probeService } = await import('../../local/probe-service.js');
  const path = join(dataDir, FIRST_KEY_FILE_NAME);
  const apiKey = (await readFile(path, 'utf8').catch(() => '')).trim();
  const running = await probeService(dataDir);
  return {
    baseUrl: running?.file.url,
    apiKey: apiKey === '' ? undefined : apiKey,
    source: apiKey === '' ? undefined : path,
  };
}

function describeDocuments({ used, limit, left }: NonNullable<Account['documents']>): string {
  return limit === null || left === null ? `${used} used, no limit` : `${used} of ${limit} used, ${left} left`;
}
