import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FORWARD = fileURLToPath(new URL('./forward.mjs', import.meta.url));

/** A machine of a test: a network namespace with an address on a switch that no other network is on. */
export interface Machine {
  address: string;
  /** Words before a command that runs it on this machine. Files and processes are those of all machines. */
  run: readonly string[];
  /** Takes the link to the switch down: packets vanish without an error, as behind a cable that was pulled. */
  cut(): void;
  mend(): void;
  /** Returns a port of the tests' own loopback that leads to a port of this machine's. */
  reach(port: number): Promise<number>;
  /** Lets a port of this machine's loopback lead to the same one of the tests'. */
  show(port: number): Promise<void>;
}

/** Says why there are no machines here; undefined when there are. */
export function explainLackOfMachines(): string | undefined {
  const name = `ocr-test-${process.pid}`;
  if (spawnSync('ip', ['netns', 'add', name]).status !== 0)
    return 'network namespaces need the right to make them, and ip (Debian: iproute2)';
  spawnSync('ip', ['netns', 'delete', name]);
  return undefined;
}

/** Connects machines by a switch, which has a namespace of its own: nothing of this machine's network is touched. */
export function connectMachines(count: number): { machines: Machine[]; close(): Promise<void> } {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-machines-'));
  const prefix = `ocr-${directory.slice(-6)}`;
  const hub = `${prefix}-switch`;
  const namespaces: string[] = [];
  const forwards: ChildProcess[] = [];
  const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' });
  const addNamespace = (name: string) => {
    ip('netns', 'add', name);
    namespaces.push(name);
    ip('-n', name, 'link', 'set', 'lo', 'up');
  };

  /** Returns the place where it takes connections: for port 0 the port that it got. */
  async function forward(run: readonly string[], from: string | number, to: string | number): Promise<string> {
    const [program = '', ...args] = [...run, process.execPath, FORWARD, String(from), String(to)];
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    forwards.push(child);
    const [line] = await once(child.stdout, 'data');
    return String(line).trim();
  }

  function addMachine(number: number): Machine {
    const [name, link, address] = [`${prefix}-${number}`, `port${number}`, `10.0.0.${number}`];
    addNamespace(name);
    ip('-n', hub, 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    ip('-n', hub, 'link', 'set', link, 'master', 'hub', 'up');
    ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    ip('-n', name, 'link', 'set', 'eth0', 'up');
    const run = ['nsenter', `--net=/run/netns/${name}`, '--'];
    return {
      address,
      run,
      cut: () => void ip('-n', hub, 'link', 'set', link, 'down'),
      mend: () => void ip('-n', hub, 'link', 'set', link, 'up'),
      reach: async (port) => {
        const path = join(directory, `${number}-${port}`);
        await forward(run, path, port);
        return Number(await forward([], 0, path));
      },
      show: async (port) => {
        const path = join(directory, `${number}-to-${port}`);
        await forward([], path, port);
        await forward(run, port, path);
      },
    };
  }

  addNamespace(hub);
  ip('-n', hub, 'link', 'add', 'hub', 'type', 'bridge');
  ip('-n', hub, 'link', 'set', 'hub', 'up');
  const machines = Array.from({ length: count }, (_, index) => addMachine(index + 1));
  return {
    machines,
    close: async () => {
      for (const child of forwards) child.kill('SIGKILL');
      for (const name of namespaces) ip('netns', 'delete', name);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
