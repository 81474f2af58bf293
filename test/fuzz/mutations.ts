import fc from 'fast-check';

/** Bound on an input's length: quadratic work shows there, and a run stays short. */
const MAX_BYTES = 256 * 1024;
const MAX_MUTATIONS = 8;
/** Values at which sizes, counts and offsets overflow. */
const EDGES = [0, 1, 2, 3, 4, 7, 8, 16, 100, 127, 128, 255, 256, 1000, 32_767, 32_768, 65_535, 65_536];
const LARGE_EDGES = [0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff];
/** The same for numbers that are written as text. */
const TEXT_EDGES = [
  ...EDGES.map(String),
  ...LARGE_EDGES.map(String),
  ...['-1', '-0', '0.5', '1e9', '1e999', '999999999999999', '9'.repeat(30), '4294967296', '9007199254740993'],
];

type Mutation =
  | { kind: 'set'; at: number; value: number }
  | { kind: 'edge'; at: number; width: 1 | 2 | 4; value: number; isLittle: boolean }
  | { kind: 'number'; at: number; text: string }
  | { kind: 'insert'; at: number; text: string; times: number }
  | { kind: 'remove'; at: number; length: number }
  | { kind: 'copy'; from: number; length: number; at: number; times: number }
  | { kind: 'splice'; at: number; seed: number; from: number; length: number }
  | { kind: 'wrap'; at: number; length: number; brackets: string; times: number }
  | { kind: 'cut'; at: number };

/** Brackets of the formats; an inner bracket may stand between them. */
const BRACKETS = ['[ ]', '{ }', '{"a": }', '<< >>', '<</A >>', '( )', '[[ ],[]]'];

/** Makes inputs: seeds with up to a few changes. A failing input shrinks to few changes of one seed. */
export function mutated(seeds: readonly Uint8Array[], tokens: readonly string[]): fc.Arbitrary<Buffer> {
  const mutation = mutationOf(tokens);
  return fc
    .tuple(fc.nat(seeds.length - 1), fc.array(mutation, { minLength: 1, maxLength: MAX_MUTATIONS, size: 'max' }))
    .map(([seed, mutations]) => {
      let bytes: Buffer = Buffer.from(seeds[seed] ?? []);
      for (const one of mutations) bytes = apply(bytes, one, seeds).subarray(0, MAX_BYTES);
      return bytes;
    });
}

function mutationOf(tokens: readonly string[]): fc.Arbitrary<Mutation> {
  const at = fc.nat(2 ** 30);
  const length = fc.oneof(fc.nat(4), fc.nat(64), fc.nat(4096));
  const times = fc.oneof(
    { weight: 8, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.nat(300) },
    { weight: 1, arbitrary: fc.nat(30_000) },
  );
  const kind = <K extends Mutation['kind']>(name: K) => fc.constant(name);
  const text = tokens.length === 0 ? fc.string({ maxLength: 8 }) : fc.constantFrom(...tokens);
  return fc.oneof(
    fc.record({ kind: kind('set'), at, value: fc.nat(255) }),
    fc.record({
      kind: kind('edge'),
      at,
      width: fc.constantFrom(1, 2, 4),
      value: fc.constantFrom(...EDGES, ...LARGE_EDGES),
      isLittle: fc.boolean(),
    }),
    fc.record({ kind: kind('number'), at, text: fc.constantFrom(...TEXT_EDGES) }),
    fc.record({ kind: kind('insert'), at, text, times }),
    fc.record({ kind: kind('remove'), at, length }),
    fc.record({ kind: kind('copy'), from: at, length, at, times }),
    fc.record({ kind: kind('splice'), at, seed: fc.nat(), from: at, length }),
    fc.record({ kind: kind('wrap'), at, length, brackets: fc.constantFrom(...BRACKETS), times }),
    fc.record({ kind: kind('cut'), at }),
  );
}

function apply(bytes: Buffer, mutation: Mutation, seeds: readonly Uint8Array[]): Buffer {
  const placeOf = (at: number, length = bytes.length) => (length === 0 ? 0 : at % length);
  const at = placeOf(mutation.at);
  const insert = (added: Buffer, removed = 0) =>
    Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]);
  switch (mutation.kind) {
    case 'set':
      return insert(Buffer.from([mutation.value]), 1);
    case 'edge':
      return insert(writeEdge(mutation), mutation.width);
    case 'number':
      return replaceNumber(bytes, at, mutation.text);
    case 'insert':
      return insert(repeat(Buffer.from(mutation.text, 'latin1'), mutation.times));
    case 'remove':
      return insert(Buffer.alloc(0), mutation.length);
    case 'copy': {
      const from = placeOf(mutation.from);
      return insert(repeat(bytes.subarray(from, from + mutation.length), mutation.times));
    }
    case 'splice': {
      const seed = seeds[mutation.seed % seeds.length] ?? bytes;
      const from = placeOf(mutation.from, seed.length);
      return insert(Buffer.from(seed.subarray(from, from + mutation.length)), mutation.length);
    }
    case 'wrap': {
      const [open = '', close = ''] = mutation.brackets.split(' ');
      const inner = bytes.subarray(at, at + mutation.length);
      const around = [open, close].map((bracket) => repeat(Buffer.from(bracket), mutation.times));
      return insert(Buffer.concat([around[0] ?? inner, inner, around[1] ?? inner]), mutation.length);
    }
    case 'cut':
      return bytes.subarray(0, at);
  }
}

function repeat(bytes: Buffer, times: number): Buffer {
  return Buffer.concat(Array(Math.min(times, Math.ceil(MAX_BYTES / Math.max(1, bytes.length)))).fill(bytes));
}

function writeEdge({ width, value, isLittle }: Extract<Mutation, { kind: 'edge' }>): Buffer {
  const edge = Buffer.alloc(4);
  edge.writeUInt32BE(value);
  const wanted = Buffer.from(edge.subarray(4 - width));
  return isLittle ? wanted.reverse() : wanted;
}

/** Replaces the first number that is written as text, from a place on. */
function replaceNumber(bytes: Buffer, at: number, text: string): Buffer {
  const found = /\d+/.exec(bytes.toString('latin1', at));
  if (found === null) return bytes;
  const start = at + found.index;
  return Buffer.concat([
    bytes.subarray(0, start),
    Buffer.from(text, 'latin1'),
    bytes.subarray(start + found[0].length),
  ]);
}
