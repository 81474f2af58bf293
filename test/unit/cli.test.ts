import { expect, test } from 'vitest';
import { createProgram, type Invocation, readJsonFlag } from '../../src/cli.js';
import type { CommandNode } from '../../src/commands/completion/command-tree.js';

async function parse(line: string): Promise<{ invocation: Invocation | undefined; printed: string }> {
  let invocation: Invocation | undefined;
  let printed = '';
  const program = createProgram(async (given) => {
    invocation = given;
  });
  await program.run(line === '' ? [] : line.split(' '), async (text) => {
    printed += text;
  });
  return { invocation, printed };
}

const extractDefaults = {
  assignments: [],
  isForced: false,
  isAwaited: true,
  isFresh: false,
  isNulSeparated: false,
  failsFast: false,
  isDryRun: false,
  filesHoldJson: false,
  hasPageBreaks: false,
  skipsExisting: false,
};

test.each<[string, string, object]>([
  ['extract a.pdf', 'extract', { ...extractDefaults, inputs: ['a.pdf'] }],
  ['extract a.pdf b.pdf -', 'extract', { ...extractDefaults, inputs: ['a.pdf', 'b.pdf', '-'] }],
  ['extract -f X a.pdf', 'extract', { ...extractDefaults, inputs: ['a.pdf'], function: 'X' }],
  ['extract --format markdown a.pdf', 'extract', { ...extractDefaults, inputs: ['a.pdf'], format: 'markdown' }],
  ['extract --format md a.pdf', 'extract', { ...extractDefaults, inputs: ['a.pdf'], format: 'markdown' }],
  ['extract --format json a.pdf', 'extract', { ...extractDefaults, inputs: ['a.pdf'], filesHoldJson: true }],
  [
    'extract --page-breaks --min-confidence .8 a.pdf',
    'extract',
    { ...extractDefaults, inputs: ['a.pdf'], hasPageBreaks: true, minConfidence: 0.8 },
  ],
  ['extract -a x=1 a.pdf -a y=2', 'extract', { ...extractDefaults, inputs: ['a.pdf'], assignments: ['x=1', 'y=2'] }],
  ['extract --args {} a.pdf', 'extract', { ...extractDefaults, inputs: ['a.pdf'], argsJson: '{}' }],
  [
    'extract a.pdf -o out --force --fresh --wait-timeout 5m --name n',
    'extract',
    {
      ...extractDefaults,
      inputs: ['a.pdf'],
      outFile: 'out',
      isForced: true,
      isFresh: true,
      isAwaited: true,
      waitTimeoutMs: 300_000,
      name: 'n',
    },
  ],
  [
    'extract --files-from list -0 -c 8 --fail-fast --dry-run --output-dir out',
    'extract',
    {
      ...extractDefaults,
      inputs: [],
      filesFrom: 'list',
      isNulSeparated: true,
      concurrency: 8,
      failsFast: true,
      isDryRun: true,
      outputDir: 'out',
    },
  ],
  ['extract -- -a.pdf', 'extract', { ...extractDefaults, inputs: ['-a.pdf'] }],
  ['jobs', 'jobs list', { unfinishedOnly: false, failedOnly: false }],
  ['jobs --unfinished', 'jobs list', { unfinishedOnly: true, failedOnly: false }],
  ['jobs list --json', 'jobs list', { unfinishedOnly: false, failedOnly: false }],
  ['jobs get job_1', 'jobs get', { jobId: 'job_1' }],
  [
    'jobs wait job_1 job_2 --wait-timeout 10',
    'jobs wait',
    { jobIds: ['job_1', 'job_2'], isAll: false, waitTimeoutMs: 10_000 },
  ],
  ['jobs wait --all', 'jobs wait', { jobIds: [], isAll: true }],
  ['jobs result job_1 -o x --force', 'jobs result', { jobId: 'job_1', outFile: 'x', isForced: true }],
  ['jobs result job_1 -o /dev/stdout', 'jobs result', { jobId: 'job_1', outFile: '-', isForced: false }],
  ['jobs forget job_1', 'jobs forget', { jobIds: ['job_1'] }],
  ['functions', 'functions list', {}],
  ['functions get X', 'functions get', { id: 'X' }],
  ['requests', 'requests list', { failedOnly: false, isFollowing: false, redact: false }],
  [
    'requests --failed --status 503 -f F --redact --since 2026-01-31',
    'requests list',
    {
      failedOnly: true,
      isFollowing: false,
      redact: true,
      status: '503',
      function: 'F',
      sinceMs: Date.UTC(2026, 0, 31),
    },
  ],
  ['requests get req_1 --redact', 'requests get', { requestId: 'req_1', redact: true }],
  ['requests forget req_1', 'requests forget', { requestIds: ['req_1'], areInterrupted: false }],
  ['requests forget --interrupted', 'requests forget', { requestIds: [], areInterrupted: true }],
  [
    'verify-webhook --signature s',
    'verify-webhook',
    { signature: 's', secretFiles: [], toleranceS: 300, explain: false },
  ],
  [
    'verify-webhook - --secret-file a --secret-file b --tolerance 5m --at 2026-01-31T00:00:00Z --explain',
    'verify-webhook',
    { body: '-', secretFiles: ['a', 'b'], toleranceS: 300, atS: Date.UTC(2026, 0, 31) / 1000, explain: true },
  ],
  [
    'verify-webhook --delivery d --tolerance 0 --at 1614265330',
    'verify-webhook',
    { delivery: 'd', secretFiles: [], toleranceS: 0, atS: 1614265330, explain: false },
  ],
  ['auth', 'auth status', {}],
  ['auth login --with-token', 'auth login', { withToken: true }],
  ['auth login', 'auth login', { withToken: false }],
  ['auth logout', 'auth logout', {}],
  ['config', 'config list', { showsOrigin: false }],
  ['config list --show-origin', 'config list', { showsOrigin: true }],
  ['config get format', 'config get', { name: 'format' }],
  ['config set wait-timeout 5m', 'config set', { name: 'wait-timeout', value: '5m' }],
  ['config unset format', 'config unset', { name: 'format' }],
  ['config path', 'config path', {}],
  ['local', 'local status', {}],
  ['admin orgs', 'admin orgs list', {}],
  ['admin orgs create --name A --data-dir d', 'admin orgs create', { name: 'A', dataDir: 'd' }],
  ['admin orgs create --name A --plan P --config c', 'admin orgs create', { name: 'A', plan: 'P', configFile: 'c' }],
  ['admin orgs get org_1', 'admin orgs get', { orgId: 'org_1' }],
  [
    'admin orgs update org_1 --plan P --subscription canceled',
    'admin orgs update',
    { orgId: 'org_1', plan: 'P', subscription: 'canceled', limits: {}, resetsLimits: false },
  ],
  ['admin keys', 'admin keys list', {}],
  ['admin keys list --org org_1', 'admin keys list', { orgId: 'org_1' }],
  ['admin keys create --org org_1', 'admin keys create', { orgId: 'org_1', isSupport: false, isTest: false }],
  [
    'admin keys create --org org_1 --name n --test --expires 30d --functions A,B',
    'admin keys create',
    { orgId: 'org_1', isSupport: false, name: 'n', isTest: true, expires: '30d', functions: 'A,B' },
  ],
  ['admin keys revoke key_1', 'admin keys revoke', { idOrKey: 'key_1' }],
  ['admin plans', 'admin plans list', {}],
  ['admin plans get P', 'admin plans get', { plan: 'P' }],
  ['admin plans set P --no-webhooks', 'admin plans set', { plan: 'P', change: { webhooks: false } }],
  [
    'admin plans set P --requests-per-window 1 --documents-per-period none --page-cap 2 --functions all --webhooks',
    'admin plans set',
    {
      plan: 'P',
      change: {
        requestsPerWindow: '1',
        documentsPerPeriod: 'none',
        pageCap: '2',
        functions: 'all',
        webhooks: true,
      },
    },
  ],
  ['local logs -n 5 --follow', 'local logs', { follow: true, lines: 5 }],
  [
    'serve --port 0 --host h --data-dir d --workers 2',
    'serve',
    { port: '0', host: 'h', dataDir: 'd', workers: '2', printConfig: false },
  ],
  ['help output', 'help', { topic: 'output' }],
])('%s → the options of %s', async (line, path, options) => {
  const { invocation } = await parse(line);
  expect(invocation?.path).toBe(path);
  expect(invocation?.options).toEqual(options);
});

const flagDefaults = { json: false, quiet: false, debug: false, color: true, input: true };

test.each<[string, object]>([
  ['jobs list', flagDefaults],
  ['--json jobs list', { ...flagDefaults, json: true }],
  ['jobs list --json', { ...flagDefaults, json: true }],
  ['jobs --json list', { ...flagDefaults, json: true }],
  ['extract --format json a.pdf', { ...flagDefaults, json: true }],
  ['extract --format json -o - a.pdf', { ...flagDefaults, json: true }],
  ['extract --format json -o a.json a.pdf', flagDefaults],
  ['extract --format json --output-dir out a.pdf', flagDefaults],
  ['extract --format json --json --output-dir out a.pdf', { ...flagDefaults, json: true }],
  ['--profile p extract a.pdf --base-url http://h', { ...flagDefaults, profile: 'p', baseUrl: 'http://h' }],
  [
    'extract a.pdf --quiet --debug --no-color --no-input',
    { json: false, quiet: true, debug: true, color: false, input: false },
  ],
  ['extract --timeout 500ms a.pdf', { ...flagDefaults, timeoutMs: 500 }],
  ['extract --timeout 1s a.pdf --timeout 2s', { ...flagDefaults, timeoutMs: 2_000 }],
])('global flags before and after the command: %s → %j', async (line, flags) => {
  expect((await parse(line)).invocation?.flags).toEqual(flags);
});

test.each<[string, string, string]>([
  ['extrct a.pdf', "unknown command 'extrct'", 'Did you mean extract?'],
  ['extract --fromat text a.pdf', "unknown option '--fromat'", 'Did you mean --format?'],
  ['jobs wiat job_1', "unknown command 'wiat'", 'Did you mean wait?'],
  ['functions gte X', "unknown command 'gte'", 'Did you mean get?'],
  [
    'extract',
    "missing required argument 'input'",
    'Standard input has to be named: ocr extract -\nTry: ocr extract --help',
  ],
  ['jobs wait', "missing argument 'jobId'", 'Try: ocr jobs wait --help'],
  ['jobs wait --all job_1', 'it takes no jobId', 'Try: ocr jobs wait --help'],
  ['extract -0 a.pdf', '-0 says how names in --files-from end', 'Try: ocr extract --help'],
  ['extract --quiet=1 a.pdf', "option '--quiet' takes no value", 'Try: ocr'],
  ['extract --fresh=1 a.pdf', "option '--fresh' takes no value", 'Try: ocr extract --help'],
  ['requests forget', "missing argument 'requestId', or --interrupted", 'Try: ocr requests forget --help'],
  ['jobs get', "missing required argument 'jobId'", 'Try: ocr jobs get --help'],
  ['extract --min-confidence 2 a.pdf', 'It must be a number from 0 to 1', 'Try: ocr extract --help'],
  ['extract --min-confidence -0.5 a.pdf', 'It must be a number from 0 to 1', 'Try: ocr extract --help'],
  ['extract --min-confidence x a.pdf', 'It must be a number from 0 to 1', 'Try: ocr extract --help'],
  ['extract --min-confidence 1.01 a.pdf', 'It must be a number from 0 to 1', 'Try: ocr extract --help'],
  ['extract --no-wait --min-confidence 0.5 a.pdf', 'cannot be given together', 'Try: ocr extract --help'],
  ['completion foo', "shell is one of bash, zsh, fish, powershell, not 'foo'", 'Try: ocr completion --help'],
  ['extract --format xml a.pdf', 'Allowed choices are text, markdown, json', 'Try: ocr extract --help'],
  ['extract -c 0 a.pdf', 'from 1 to 299', 'Try: ocr extract --help'],
  ['extract -c 300 a.pdf', 'from 1 to 299', 'Try: ocr extract --help'],
  ['extract --wait-timeout soon a.pdf', 'Durations look like', 'Try: ocr extract --help'],
  ['extract --timeout 0 a.pdf', 'more than zero', 'Try: ocr --help'],
  ['extract a.pdf --output-dir=', "option '--output-dir <dir>' is empty", 'Try: ocr extract --help'],
  ['extract a.pdf --function=', "option '-f, --function <id>' is empty", 'Try: ocr extract --help'],
  ['extract --profile= a.pdf', "option '--profile <name>' is empty", 'Try: ocr extract --help'],
  ['extract --tokn=secret a.pdf', "unknown option '--tokn'", 'Try: ocr extract --help'],
  [
    'extract --pages 1-3 a.pdf',
    "unknown option '--pages'",
    'An argument of the function: -a pages=<value>\nTry: ocr extract --help',
  ],
  [
    'extract a.pdf -scan.pdf',
    "unknown option '-scan.pdf'",
    'A file of this name: ./-scan.pdf\nTry: ocr extract --help',
  ],
  ['requests --since lately', 'Examples: 24h', 'Try: ocr requests list --help'],
  ['verify-webhook --at never', 'Unix seconds', 'Try: ocr verify-webhook --help'],
  ['auth lgin', "unknown command 'lgin'", 'Did you mean login?'],
  ['status', "unknown command 'status'", 'Did you mean ocr auth status or ocr local status?'],
  ['cancel job_1', "unknown command 'cancel'", 'Did you mean ocr jobs cancel?'],
  ['list', "unknown command 'list'", 'Did you mean ocr jobs list, ocr functions list or ocr languages list?'],
  ['jobs job_1', "unknown command 'job_1'", 'Did you mean ocr jobs get job_1?'],
  ['jobs req_1', "unknown command 'req_1'", 'Did you mean ocr requests get req_1?'],
  ['requests req_1', "unknown command 'req_1'", 'Did you mean ocr requests get req_1?'],
  ['job_1', "unknown command 'job_1'", 'Did you mean ocr jobs get job_1?'],
  ['admin jobs job_1', "unknown command 'job_1'", 'Did you mean ocr admin jobs get job_1?'],
  ['functions TEXT_EXTRACTION', 'unknown command', 'Did you mean ocr functions get TEXT_EXTRACTION?'],
  ["scan's.pdf", 'unknown command', "Did you mean ocr extract 'scan'\\''s.pdf'?"],
  ['extract a.pdf -o a --output b', '--output may be given only once', 'Try: ocr extract --help'],
  [
    'extract a.pdf --no-wait --wait-timeout 3',
    '--no-wait and --wait-timeout cannot be given together',
    'Try: ocr extract --help',
  ],
  ['extract a.pdf -f X -f X', '--function may be given only once', 'Try: ocr extract --help'],
  ['extract --files-from a --files-from b', '--files-from may be given only once', 'Try: ocr extract --help'],
  ['jobs result job_1 -o a -o b', '--output may be given only once', 'Try: ocr jobs result --help'],
  ['requests -f X -f Y', '--function may be given only once', 'Try: ocr requests list --help'],
  ['verify-webhook --signature a --signature b', '--signature may be given only once', 'ocr verify-webhook --help'],
])('%s → a usage error: %s; %s', async (line, message, hint) => {
  const error = await parse(line).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: 'USAGE', exitCode: 2 });
  expect((error as Error).message).toContain(message);
  expect((error as { hint: string }).hint).toContain(hint);
});

test.each([
  '',
  '--help',
  'extract --help',
  'jobs --help',
  'jobs list --help',
  'jobs get --help',
  'jobs wait --help',
  'jobs result --help',
  'jobs forget --help',
  'functions --help',
  'functions list --help',
  'functions get --help',
  'requests --help',
  'requests list --help',
  'requests get --help',
  'requests forget --help',
  'verify-webhook --help',
  'auth --help',
  'auth login --help',
  'auth status --help',
  'auth logout --help',
  'config --help',
  'config list --help',
  'config get --help',
  'config set --help',
  'config unset --help',
  'config path --help',
  'local --help',
  'local status --help',
  'local start --help',
  'local stop --help',
  'local logs --help',
  'serve --help',
  'help --help',
  'help jobs wait',
])('help of "%s" → two examples, and nothing runs', async (line) => {
  const { invocation, printed } = await parse(line);
  expect(invocation).toBeUndefined();
  const examples = printed.split('Examples:\n')[1]?.trim().split('\n') ?? [];
  expect(examples.length).toBeGreaterThanOrEqual(2);
  expect(printed).not.toMatch(/default: (?:false|\[\])/);
});

test.each([40, 50, 60, 70, 80, 120])(
  'help of every command on a terminal of %i columns → no line is wider',
  async (columns) => {
    const tree = await createProgram(async () => {}).describe();
    const all = (node: CommandNode): CommandNode[] => [node, ...node.commands.flatMap(all)];
    for (const { path } of all(tree)) {
      let help = '';
      await createProgram(async () => {}, columns).run([...path.split(' ').slice(1), '--help'], async (text) => {
        help += text;
      });
      // Examples are copied, so they stay whole.
      const [text = ''] = help.split('Examples:\n');
      expect(
        text.split('\n').filter(({ length }) => length > columns),
        path,
      ).toEqual([]);
    }
  },
);

test('help on a narrow terminal → the meaning of an option stands below it', async () => {
  let help = '';
  await createProgram(async () => {}, 40).run(['jobs', 'result', '--help'], async (text) => {
    help += text;
  });
  expect(help).toContain('  -o, --output <file>\n      write it to a file\n');
  expect(help).toContain('  --base-url <url>\n      address of the service\n');
});

test('--version among other words → the version', async () => {
  expect((await parse('--json --version')).printed).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each<[string, boolean]>([
  ['extract --json x', true],
  ['extract --format json --bogus', true],
  ['extract --format=json --bogus', true],
  ['extract --format=json -o a.json --bogus', false],
  ['extract --format=json --output-dir=out --bogus', false],
  ['extract --format=json --json --output-dir=out --bogus', true],
  ['extract json', false],
  ['extract -- --json', false],
])('a command line with a mistake, %s → JSON is wanted: %s', (line, expected) => {
  expect(readJsonFlag(line.split(' '))).toBe(expected);
});
