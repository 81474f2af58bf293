/**
 * Counters and histograms in the Prometheus text format (version 0.0.4). Forty lines suffice; the usual package adds a registry,
 * collectors and a push gateway.
 */
export interface Metrics {
  noteCall(call: CallLabels, durationMs: number): void;
  /** Counts one run of a document by its outcome. */
  noteDocument(outcome: string, durationMs: number): void;
  /** Renders all counters, and `gauges` with their present values. */
  render(gauges: readonly Gauge[]): string;
}

interface CallLabels {
  method: string;
  /** Pattern of the path, which keeps the number of values small: `/v1/ocr/jobs/:id`. */
  route: string;
  status: number;
  code: string | undefined;
}

export interface Gauge {
  name: string;
  help: string;
  type: 'gauge' | 'counter';
  samples: ReadonlyArray<{ labels?: Record<string, string>; value: number }>;
}

/** Bucket limits in seconds, from a quick poll to the longest inline call. */
const CALL_BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60];
const DOCUMENT_BUCKETS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

interface Histogram {
  /** Cumulative count of each bucket. */
  counts: number[];
  sum: number;
  count: number;
}

export function createMetrics(): Metrics {
  const calls = new Map<string, number>();
  const callTimes = new Map<string, Histogram>();
  const documents = new Map<string, number>();
  const documentTimes = new Map<string, Histogram>();
  return {
    noteCall({ method, route, status, code }, durationMs) {
      const where = { method, route };
      increment(calls, renderLabels({ ...where, status: String(status), code: code ?? '' }));
      observe(callTimes, renderLabels(where), durationMs / 1000, CALL_BUCKETS);
    },
    noteDocument(outcome, durationMs) {
      increment(documents, renderLabels({ outcome }));
      observe(documentTimes, '', durationMs / 1000, DOCUMENT_BUCKETS);
    },
    render: (gauges) =>
      [
        head('ocr_calls_total', 'counter', 'Calls that were answered.'),
        ...[...calls].map(([labels, value]) => sample('ocr_calls_total', labels, value)),
        head('ocr_call_duration_seconds', 'histogram', 'From a call to its answer.'),
        ...renderHistograms('ocr_call_duration_seconds', callTimes, CALL_BUCKETS),
        head('ocr_documents_total', 'counter', 'Runs of documents, by what became of them.'),
        ...[...documents].map(([labels, value]) => sample('ocr_documents_total', labels, value)),
        head('ocr_document_duration_seconds', 'histogram', 'How long a document was worked on.'),
        ...renderHistograms('ocr_document_duration_seconds', documentTimes, DOCUMENT_BUCKETS),
        ...gauges.flatMap(({ name, type, help, samples }) => [
          head(name, type, help),
          ...samples.map(({ labels = {}, value }) => sample(name, renderLabels(labels), value)),
        ]),
        '',
      ].join('\n'),
  };
}

function increment(counts: Map<string, number>, labels: string): void {
  counts.set(labels, (counts.get(labels) ?? 0) + 1);
}

function observe(histograms: Map<string, Histogram>, labels: string, value: number, buckets: readonly number[]): void {
  const histogram = histograms.get(labels) ?? { counts: buckets.map(() => 0), sum: 0, count: 0 };
  histograms.set(labels, histogram);
  for (const [i, limit] of buckets.entries()) if (value <= limit) histogram.counts[i] = (histogram.counts[i] ?? 0) + 1;
  histogram.sum += value;
  histogram.count++;
}

function renderHistograms(name: string, histograms: Map<string, Histogram>, buckets: readonly number[]): string[] {
  return [...histograms].flatMap(([labels, { counts, sum, count }]) => {
    const within = (limit: string) => (labels === '' ? `le="${limit}"` : `${labels},le="${limit}"`);
    return [
      ...buckets.map((limit, i) => sample(`${name}_bucket`, within(String(limit)), counts[i] ?? 0)),
      sample(`${name}_bucket`, within('+Inf'), count),
      sample(`${name}_sum`, labels, sum),
      sample(`${name}_count`, labels, count),
    ];
  });
}

function head(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}`;
}

function sample(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${value}`;
}

function renderLabels(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (c) => (c === '\n' ? '\\n' : `\\${c}`))}"`)
    .join(',');
}
