import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isWellFormedApiKey, mintApiKey } from '../../dist/contract/api-key.js';
import { createClient } from '../contract/support/running-service.js';
import { examples } from '../fixtures/manifest.js';
import { createLocalHome } from '../support/local-service.js';
import { runInProcess } from '../support/run-in-process.js';
import { type Serving, startServe } from '../support/serve.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';
import { until } from '../support/until.js';

const report = readFileSync(examples.report.path);
const ASYNC = { prefer: 'respond-async' };

function administer(home: TemporaryHome) {
  const admin = (...args: string[]) => runInProcess(['admin', ...args], { home });
  return {
    admin,
    // biome-ignore lint/suspicious/noExplicitAny: what is printed is held against its schema by runInProcess
    json: async (...args: string[]): Promise<any> => {
      const { exitCode, stdout, stderr } = await admin(...args, '--json');
      expect(exitCode, stderr + stdout).toBe(0);
      return JSON.parse(stdout);
    },
  };
}

describe('without a service', () => {
  const open = () => {
    const home = createHome();
    onTestFinished(() => home.remove());
    return { home, ...administer(home) };
  };
  /** Opens a home whose store exists, as the first organisation creates it. */
  const openUsed = async () => {
    const opened = open();
    await opened.admin('orgs', 'create', '--name', 'First', '--plan', 'TRIAL');
    return opened;
  };

  test('ids as they were copied, quoted or in small letters → found, as arguments and as options', async () => {
    const { json } = await openUsed();
    const [{ orgId }] = await json('orgs', 'list');
    const copied = `"${orgId.toLowerCase()}",`;
    expect(await json('orgs', 'get', copied)).toMatchObject({ orgId });
    const { keyId } = await json('keys', 'create', '--org', copied);
    expect(await json('keys', 'list', '--org', copied)).toMatchObject([{ keyId }]);
    expect(await json('keys', 'revoke', `(key_id=${keyId.toLowerCase()})`)).toMatchObject({ keyId });
  });

  test('lists where no service ever was → an error, and nothing is created', async () => {
    const { home } = open();
    for (const words of [
      ['orgs'],
      ['keys', 'list', '--org', 'org_x'],
      ['plans'],
      ['requests'],
      ['jobs'],
      ['webhooks'],
    ]) {
      const run = await runInProcess(['admin', ...words, '--json'], { home });
      expect(run.exitCode, words.join(' ')).toBe(2);
      expect(JSON.parse(run.stderr || run.stdout).error.message).toContain(home.dataDir);
    }
    expect(existsSync(home.dataDir)).toBe(false);
  });

  test('a data directory that cannot be read → an error that does not call it missing', async () => {
    const { home, admin } = open();
    mkdirSync(home.dataDir, { recursive: true });
    // For root, too, who may read every directory.
    symlinkSync('ocr.db', join(home.dataDir, 'ocr.db'));
    const { exitCode, stderr } = await admin('orgs');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`Cannot read the data directory ${home.dataDir}: too many symbolic links`);
    expect(stderr).not.toContain('There is no');
  });

  test('the first organisation → a note that the data directory is new', async () => {
    const { home, admin } = open();
    const first = await admin('orgs', 'create', '--name', 'First');
    expect(first.stdout).toMatch(/^org_\w{26}\n$/);
    expect(first.stderr).toContain(`There was no service data directory at ${home.dataDir}: a new one was made`);
    expect((await admin('orgs', 'create', '--name', 'Second')).stderr).not.toContain('a new one was made');
  });

  test('an organisation → created, listed, shown and changed', async () => {
    const { home, admin, json } = open();
    const first = await json('orgs', 'create', '--name', ' Alder Vale Library ');
    expect(first).toMatchObject({ name: 'Alder Vale Library', plan: 'TRIAL', subscription: 'trialing', local: false });
    expect(Date.parse(first.trialEndsAt) - Date.parse(first.createdAt)).toBeCloseTo(30 * 86_400_000, -4);
    const second = await json('orgs', 'create', '--name', 'Archive', '--plan', 'business');
    expect(second).toMatchObject({ plan: 'BUSINESS', subscription: 'active', trialEndsAt: null });
    expect(await json('orgs')).toEqual([first, second]);
    expect(await json('orgs', 'get', first.orgId)).toEqual({
      ...first,
      usage: { period: expect.stringMatching(/^trial:/), documents: 0, limit: 50, endsAt: first.trialEndsAt },
    });
    const bought = await json('orgs', 'update', first.orgId, '--plan', 'STARTER', '--subscription', 'active');
    expect(bought).toMatchObject({ plan: 'STARTER', subscription: 'active' });
    expect((await json('orgs', 'get', first.orgId)).usage).toMatchObject({
      period: new Date().toISOString().slice(0, 7),
      limit: 1000,
    });
    expect(await json('orgs', 'update', second.orgId, '--subscription', 'trialing')).toMatchObject({
      plan: 'BUSINESS',
      subscription: 'trialing',
      trialEndsAt: expect.stringMatching(/Z$/),
    });
    expect((await admin('orgs', 'get', second.orgId)).stdout).toMatch(/^Period\tthe trial, ends 20\d\d-/m);
    // Plain: the id alone, so that a shell can use it; then rows with tabs.
    const third = await admin('orgs', 'create', '--name', 'Third');
    expect(third.stdout).toMatch(/^org_\w{26}\n$/);
    expect(third.stderr).toContain(`ocr admin keys create --org ${third.stdout.trim()}`);
    expect((await admin('orgs')).stdout.split('\n')[0]?.split('\t').slice(0, 4)).toEqual([
      first.orgId,
      'Alder Vale Library',
      'STARTER',
      'active',
    ]);
    expect(statSync(join(home.dataDir, 'ocr.db')).mode & 0o077).toBe(0);
  });

  test('a trial suspended before its end → continues with its old end', async () => {
    const { json } = open();
    const { orgId, trialEndsAt } = await json('orgs', 'create', '--name', 'A');
    await json('orgs', 'update', orgId, '--subscription', 'suspended');
    expect(await json('orgs', 'update', orgId, '--subscription', 'trialing')).toMatchObject({
      subscription: 'trialing',
      trialEndsAt,
    });
  });

  test('keys create --expires → takes what --since takes; a date is its start', async () => {
    const { admin, json } = open();
    const { orgId } = await json('orgs', 'create', '--name', 'A');
    for (const [expires, expiresAt] of [
      ['2099-01-31', '2099-01-31T00:00:00.000Z'],
      ['2099-01-31 12:00:00Z', '2099-01-31T12:00:00.000Z'],
      ['2099-01-31T12:00:00+01:00', '2099-01-31T11:00:00.000Z'],
    ] as const) {
      const { keyId } = await json('keys', 'create', '--org', orgId, '--expires', expires);
      const keys: Array<{ keyId: string }> = await json('keys', 'list');
      expect(keys.find((key) => key.keyId === keyId)).toMatchObject({ expiresAt });
      expect(await admin('requests', 'list', '--since', expires)).toMatchObject({ exitCode: 0 });
    }
  });

  test('a key → shown once, then listed by its prefix and last four characters', async () => {
    const { home, admin, json } = open();
    const { orgId } = await json('orgs', 'create', '--name', 'A');
    const other = await json('orgs', 'create', '--name', 'B');
    const live = await json('keys', 'create', '--org', orgId, '--name', 'scan station');
    expect(live.key).toMatch(/^ocr_live_/);
    const test = await admin(
      ...['keys', 'create', '--org', orgId, '--test', '--expires', '30d', '--functions', 'text_extraction'],
    );
    const raw = test.stdout.trim();
    expect(raw).toMatch(/^ocr_test_/);
    expect([live.key, raw].map(isWellFormedApiKey)).toEqual([true, true]);
    await json('keys', 'create', '--org', other.orgId, '--expires', '2099-01-31T00:00:00+01:00', '--functions', 'all');
    const [first, second, third] = await json('keys', 'list');
    expect(first).toEqual({
      keyId: live.keyId,
      orgId,
      orgName: 'A',
      name: 'scan station',
      support: false,
      prefix: 'ocr_live_',
      lastFour: live.key.slice(-4),
      functions: null,
      status: 'active',
      createdAt: expect.stringMatching(/Z$/),
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    });
    expect(second).toMatchObject({ prefix: 'ocr_test_', lastFour: raw.slice(-4), functions: ['TEXT_EXTRACTION'] });
    expect(Date.parse(second.expiresAt) - Date.parse(second.createdAt)).toBeCloseTo(30 * 86_400_000, -4);
    expect(third).toMatchObject({ orgId: other.orgId, functions: null, expiresAt: '2099-01-30T23:00:00.000Z' });
    expect((await json('keys', 'list', '--org', orgId)).map(({ keyId }: { keyId: string }) => keyId)).toEqual([
      first.keyId,
      second.keyId,
    ]);
    const revoked = await json('keys', 'revoke', live.keyId);
    expect(revoked).toMatchObject({ keyId: live.keyId, status: 'revoked' });
    // For good: a second time changes nothing.
    expect((await json('keys', 'revoke', live.keyId)).revokedAt).toBe(revoked.revokedAt);
    // A leaked key is known whole to whoever found it.
    expect((await admin('keys', 'revoke', raw)).stdout).toMatch(new RegExp(`^${second.keyId}\trevoked\t`));
    const kept = readFileSync(join(home.dataDir, 'ocr.db'), 'latin1');
    for (const key of [live.key, raw]) expect(kept).not.toContain(key.slice(9, 30));
    expect(JSON.stringify(await json('keys'))).not.toContain(live.key.slice(9, 30));
  });

  test('a plan → shown and changed; options that are not named stay', async () => {
    const { admin, json } = await openUsed();
    const plans = await json('plans');
    expect(plans.map(({ plan }: { plan: string }) => plan)).toEqual(['TRIAL', 'STARTER', 'BUSINESS', 'ENTERPRISE']);
    expect(plans.map(({ webhooks }: { webhooks: boolean }) => webhooks)).toEqual([false, false, true, true]);
    const starter = await json('plans', 'get', 'starter');
    const changed = await json(
      ...['plans', 'set', 'STARTER', '--documents-per-period', 'none', '--page-cap', '7', '--webhooks'],
    );
    expect(changed).toEqual({ ...starter, documentsPerPeriod: null, pageCap: 7, webhooks: true });
    const again = await json(
      ...[
        'plans',
        'set',
        'STARTER',
        '--requests-per-window',
        '5',
        '--functions',
        'TEXT_EXTRACTION',
        '--no-webhooks',
        '--weight',
        '4',
      ],
    );
    expect(again).toEqual({
      ...changed,
      requestsPerWindow: 5,
      functions: ['TEXT_EXTRACTION'],
      webhooks: false,
      weight: 4,
    });
    expect(await json('plans', 'get', 'STARTER')).toEqual(again);
    expect((await admin('plans', 'set', 'STARTER', '--functions', 'all')).stdout).toBe(
      'STARTER\tall\t7\tnone\t5\tno\t4\n',
    );
  });

  describe('mistakes → explained, and nothing changes', () => {
    let home: TemporaryHome;
    beforeAll(async () => {
      home = createHome();
      await administer(home).admin('orgs', 'create', '--name', 'First', '--plan', 'TRIAL');
    });
    afterAll(() => home.remove());

    test.each<[string, number, RegExp, RegExp?]>([
      ['orgs create', 2, /--name/],
      ['orgs create --name=', 2, /option '--name <name>' is empty/],
      ['orgs create --name A --plan BUSINES', 5, /no plan BUSINES[\s\S]*Did you mean BUSINESS\?/],
      ['orgs create --name A --plan X', 5, /Plans: TRIAL, STARTER, BUSINESS, ENTERPRISE/],
      ['orgs get org_x', 5, /no organisation org_x[\s\S]*ocr admin orgs list/],
      ['orgs update org_x --plan TRIAL', 5, /no organisation org_x/],
      ['orgs list --base-url http://127.0.0.1:9', 2, /--base-url[\s\S]*--data-dir/],
      ['orgs list --profile work', 2, /--profile[\s\S]*--data-dir/],
      ['orgs update org_x', 2, /Nothing to change[\s\S]*--subscription/],
      ['orgs update org_x --subscription paused', 2, /paused[\s\S]*active, trialing, expired, canceled, suspended/],
      ['keys create', 2, /--org/],
      ['keys create --org org_x', 5, /no organisation org_x/],
      ['keys create --org org_x --expires 3', 2, /not a time: 3[\s\S]*30d/],
      [
        'keys create --org org_x --expires 2999-02-30',
        2,
        /not a time: 2999-02-30[\s\S]*30d, 2027-01-31, 2027-01-31T12:00:00Z/,
      ],
      ['keys create --org org_x --expires 2001-01-01', 2, /in the past/],
      ['keys create --org org_x --expires 0d', 2, /in the past/],
      ['keys create --org org_x --expires 2001-01-01T00:00:00Z', 2, /in the past/],
      ['keys create --org org_x --expires 999999999d', 2, /not a time/],
      ['keys create --org org_x --expires 2999-02-30T00:00:00Z', 2, /not a time/],
      ['keys create --org org_x --functions TEXT_EXTRACTON', 2, /Did you mean TEXT_EXTRACTION\?/],
      ['keys create --org org_x --functions TEXT_EXTRACTION,', 2, /name of a function is missing/],
      ['keys list --org org_x', 5, /no organisation org_x/],
      ['requests list --org org_x', 5, /^ocr: There is no organisation org_x/],
      ['requests list --org org_x --json', 5, /^$/, /^\{"error":\{"code":"NOT_FOUND"/],
      ['requests list --key key_x', 5, /no key key_x[\s\S]*ocr admin keys list/],
      ['requests list --key ocr_live_none', 5, /no key …none, and none with that id/],
      ['requests get job_x', 2, /job_x is a job, not a request[\s\S]*ocr admin jobs get job_x/],
      ['jobs get req_x', 2, /req_x is a request, not a job[\s\S]*ocr admin requests get req_x/],
      ['requests list --since 2026-02-30', 2, /24h, 7d/],
      ['jobs list --org org_x', 5, /^ocr: There is no organisation org_x/],
      ['webhooks deliveries --org org_x', 5, /^ocr: There is no organisation org_x/],
      ['webhooks deliveries --endpoint whe_x', 5, /no endpoint whe_x[\s\S]*ocr admin webhooks list/],
      ['webhooks deliveries --limit 0', 2, /at least 1/],
      ['webhooks deliveries', 0, /^No such deliveries\.\n$/],
      ['webhooks', 0, /^No endpoints\. Add one: ocr admin webhooks add /],
      ['keys revoke key_x', 5, /no key key_x[\s\S]*ocr admin keys list/],
      ['plans get TRAIL', 5, /Did you mean TRIAL\?/],
      ['plans set TRAIL --page-cap 1', 5, /Did you mean TRIAL\?/],
      ['plans set TRIAL', 2, /Nothing to change/],
      ['plans set TRIAL --webhooks --no-webhooks', 2, /--webhooks and --no-webhooks/],
      ['plans set TRIAL --page-cap 0', 2, /from 1, or none/],
      ['plans set TRIAL --documents-per-period many', 2, /from 0, or none[\s\S]*many/],
      ['plans set TRIAL --requests-per-window none', 2, /1 to 1000000000/],
      ['plans set TRIAL --weight 0', 2, /--weight must be a whole number from 1 to 1000, not "0"/],
      ['plans set TRIAL --functions NONE', 2, /Functions: .*TEXT_EXTRACTION.*, or all/],
    ])('%s', async (line, exitCode, message, answer = /^$/) => {
      const run = await administer(home).admin(...line.split(' '));
      expect(run.stderr).toMatch(message);
      expect(run.stdout).toMatch(answer);
      expect(run.stdout.trim().split('\n')).toHaveLength(1);
      expect(run.exitCode).toBe(exitCode);
    });
  });

  test('commands named in hints → carry the flags that choose the service', async () => {
    const { home, admin } = open();
    const dataDir = join(home.dir, "the library's");
    const flag = `--data-dir '${dataDir.replace("'", "'\\''")}'`;
    const created = await admin('orgs', 'create', '--name', 'First', '--data-dir', dataDir);
    expect(created.stderr).toContain(`ocr admin keys create --org ${created.stdout.trim()} ${flag}\n`);
    expect((await admin('orgs', 'get', 'org_x', '--data-dir', dataDir)).stderr).toContain(
      `ocr admin orgs list ${flag}\n`,
    );
    expect((await admin('keys', '--data-dir', dataDir)).stderr).toContain(`keys create --org <orgId> ${flag}\n`);
    const config = join(home.dir, 'serve.json');
    writeFileSync(config, JSON.stringify({ dataDir }));
    const into = await admin('backup', join(dataDir, 'copy'), '--config', config);
    expect(into.stderr).toMatch(/^Try: ocr admin backup <directory elsewhere.*> --config .*serve\.json$/m);
  });

  test('an organisation of one’s own → no key in the api-key file, also before the first start', async () => {
    const home = createLocalHome();
    const { json } = administer(home);
    const own = await json('orgs', 'create', '--name', 'This machine', '--plan', 'BUSINESS');
    expect((await runInProcess(['extract', examples.report.path], { home })).exitCode).toBe(0);
    const local = (await json('orgs')).filter((one: { local: boolean }) => one.local);
    expect(local).toMatchObject([{ plan: 'ENTERPRISE', subscription: 'active' }]);
    expect(local[0].orgId).not.toBe(own.orgId);
    const written = readFileSync(join(home.dataDir, 'api-key'), 'utf8').trim();
    expect(await json('keys')).toMatchObject([{ orgId: local[0].orgId, lastFour: written.slice(-4) }]);
    expect((await json('orgs', 'get', local[0].orgId)).usage).toMatchObject({ documents: 1, limit: null });
  });
});

describe('beside a running service', () => {
  let home: TemporaryHome;
  let serving: Serving;
  let json: ReturnType<typeof administer>['json'];
  beforeAll(async () => {
    home = createHome();
    Object.assign(home.env, { OCR_SERVE_KEY_CACHE_MS: '300' });
    serving = await startServe(home);
    ({ json } = administer(home));
  });
  afterAll(async () => {
    await serving.stop();
    home.remove();
  });

  async function addCaller(plan: string, ...keyOptions: string[]) {
    const { orgId } = await json('orgs', 'create', '--name', 'A', '--plan', plan);
    const minted = await json('keys', 'create', '--org', orgId, ...keyOptions);
    return { orgId, ...minted, ...createClient(serving.url, minted.key) };
  }

  test('a revoked key → refused soon everywhere; other keys of its organisation are not', async () => {
    const { orgId, keyId, submit, get } = await addCaller('BUSINESS');
    const other = await json('keys', 'create', '--org', orgId);
    expect((await submit(report)).status).toBe(200);
    await json('keys', 'revoke', keyId);
    await until(async () => (await get('/v1/ocr/functions')).status === 401, 'the revocation to be seen');
    const refused = await submit(report);
    expect(refused.json.error).toMatchObject({ code: 'UNAUTHORIZED', retryable: false });
    expect((await createClient(serving.url, other.key).submit(report)).status).toBe(200);
  });

  test('a new key → works at once; one that expires → refused from then on', async () => {
    const { orgId } = await addCaller('BUSINESS');
    const { keyId, key } = await json('keys', 'create', '--org', orgId, '--expires', '3s');
    const { get } = createClient(serving.url, key);
    const first = await get('/v1/ocr/functions');
    const answeredAtMs = Date.now();
    const find = async () =>
      (await json('keys', 'list', '--org', orgId)).find((one: { keyId: string }) => one.keyId === keyId);
    const expiresAtMs = Date.parse((await find()).expiresAt);
    if (answeredAtMs < expiresAtMs) expect(first.status).toBe(200);
    await until(() => Date.now() >= expiresAtMs, 'the expiry');
    expect((await get('/v1/ocr/functions')).json.error.code).toBe('UNAUTHORIZED');
    expect((await find()).status).toBe('expired');
  });

  test('calls with a key that has ended → refused as those of a stranger, and logged with organisation and key', async () => {
    const { orgId } = await addCaller('BUSINESS');
    const stranger = await createClient(serving.url, mintApiKey('live')).get('/v1/ocr/functions');
    for (const [options, role] of [
      [['--org', orgId], 'organisation'],
      [['--support'], 'support'],
    ] as const) {
      const { keyId, key } = await json('keys', 'create', ...options, '--name', 'scan station');
      await json('keys', 'revoke', keyId);
      const { get, submit } = createClient(serving.url, key);
      await until(async () => (await get('/v1/ocr/functions')).status === 401, 'the revocation to be seen');
      for (const refused of [await get('/v1/ocr/functions'), await submit(report)]) {
        const { requestId, ...error } = refused.json.error;
        expect({ ...error, requestId: stranger.json.error.requestId }).toEqual(stranger.json.error);
        const owner = role === 'support' ? null : orgId;
        const logged = async () => await json('requests', 'list', '--key', keyId);
        await until(async () => JSON.stringify(await logged()).includes(requestId), 'the line');
        const line = (await logged()).find((entry: { requestId: string }) => entry.requestId === requestId);
        expect(line).toMatchObject({ orgId: owner, keyId, keyName: 'scan station', httpStatus: 401 });
        expect(JSON.stringify(line)).not.toContain(key);
      }
    }
    expect(await json('requests', 'get', stranger.json.error.requestId)).toMatchObject({ orgId: null, keyId: null });
  });

  test('a changed subscription → seen by the service, there and back', async () => {
    const { orgId, submit, get } = await addCaller('BUSINESS');
    const queued = await submit(report, { headers: ASYNC });
    for (const state of ['suspended', 'active', 'canceled', 'trialing', 'expired']) {
      await json('orgs', 'update', orgId, '--subscription', state);
      const status = state === 'active' || state === 'trialing' ? 202 : 402;
      await until(async () => (await submit(report, { headers: ASYNC })).status === status, `${state}: ${status}`);
      expect((await get(`/v1/ocr/jobs/${queued.json.jobId}`)).status).toBe(200);
    }
  });

  test('a changed plan, or an organisation moved to another → seen by the service', async () => {
    // More than this test sends while it waits.
    await json('plans', 'set', 'TRIAL', '--requests-per-window', '2000');
    const { orgId, submit } = await addCaller('TRIAL');
    expect((await submit(report)).headers['ratelimit-limit']).toBe('2000');
    await json('plans', 'set', 'TRIAL', '--page-cap', '3');
    const code = async (args: object) => (await submit(report, { args })).json.error?.code;
    await until(async () => (await code({})) === 'PAGE_LIMIT_EXCEEDED', 'the lower cap');
    await json('orgs', 'update', orgId, '--plan', 'BUSINESS');
    await until(async () => (await code({})) === undefined, 'the other plan');
    expect((await submit(report)).headers['ratelimit-limit']).toBe('600');
  });

  test('usage → told; an exhausted allowance → raised by the operator', async () => {
    const { orgId, submit } = await addCaller('ENTERPRISE');
    await json('plans', 'set', 'ENTERPRISE', '--documents-per-period', '2');
    try {
      await until(async () => {
        const { status } = await submit(report, { headers: ASYNC });
        return status === 429;
      }, 'the allowance to be exhausted');
      const { usage } = await json('orgs', 'get', orgId);
      expect(usage.limit).toBe(2);
      expect(usage.documents).toBeGreaterThanOrEqual(2);
    } finally {
      await json('plans', 'set', 'ENTERPRISE', '--documents-per-period', 'none');
    }
    await until(async () => (await submit(report, { headers: ASYNC })).status === 202, 'the new allowance');
  });

  test('the last use of a key → told', async () => {
    const { orgId, submit } = await addCaller('BUSINESS');
    const lastUsedAt = async () => (await json('keys', 'list', '--org', orgId))[0].lastUsedAt;
    expect(await lastUsedAt()).toBeNull();
    const beforeMs = Date.now();
    await submit(report);
    await until(async () => (await lastUsedAt()) !== null, 'the last use');
    expect(Date.parse(await lastUsedAt())).toBeGreaterThanOrEqual(beforeMs);
  });

  test('limits of a key and of a plan → extract says so and ends with 4', async () => {
    const { orgId, key } = await addCaller('BUSINESS');
    const caller = createHome();
    onTestFinished(() => caller.remove());
    Object.assign(caller.env, { OCR_BASE_URL: serving.url, OCR_API_KEY: key });
    expect((await runInProcess(['extract', examples.report.path], { home: caller })).exitCode).toBe(0);
    await json('orgs', 'update', orgId, '--subscription', 'suspended');
    const { submit } = createClient(serving.url, key);
    await until(async () => (await submit(report)).status === 402, 'the suspension');
    const refused = await runInProcess(['extract', '--fresh', examples.report.path], { home: caller });
    expect(refused.exitCode).toBe(4);
    expect(refused.stderr).toContain('suspended');
  });
});
