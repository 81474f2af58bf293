/** The things that the system keeps native code in a document process from. Node's permission model holds only JavaScript. */
export interface Isolation {
  /** Files other than code, language data and its own documents. */
  files: boolean;
  network: boolean;
  /** UNIX sockets of other programs. */
  sockets: boolean;
  /** Signals to other processes. What it starts ends with it, and all of it with the service. */
  processes: boolean;
  /** The memory of the service. */
  memory: boolean;
}

const NAMES: Record<keyof Isolation, string> = {
  files: 'other files of the user that runs the service, its keys and store included',
  network: 'the network',
  sockets: 'UNIX sockets',
  processes: 'other processes, and what it starts may outlive the service',
  memory: 'the memory of the service',
};

/** Returns warnings for the operator; empty when nothing is missing. `failures` say why. */
export function describeLacks(isolation: Isolation, failures: readonly string[] = []): string[] {
  if (process.platform !== 'linux')
    return [
      'document processes are kept from files, programs and the network on Linux alone: run the service there, or in a container, if documents come from strangers',
    ];
  const lacks = listLacks(isolation);
  const warnings = process.getuid?.() === 0 ? ['the service runs as root: give it a user of its own'] : [];
  if (lacks.length === 0) return warnings;
  const reasons = failures.length === 0 ? '' : ` (${failures.join('; ')})`;
  return [
    ...warnings,
    `native code in a document process (a decoder that a document has taken over) is not kept from ${lacks.map((lack) => NAMES[lack]).join('; ')}${reasons}: allow user namespaces, or confine the service from outside, if documents come from strangers`,
  ];
}

function listLacks(isolation: Isolation): Array<keyof Isolation> {
  return (Object.keys(NAMES) as Array<keyof Isolation>).filter((name) => !isolation[name]);
}
