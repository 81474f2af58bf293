import type { JobStatus } from '../../../contract/envelopes.js';

/** Tone of a state; each has a shape of its own beside its colour. */
export type Tone = 'good' | 'bad' | 'warn' | 'wait' | 'run';

/** A state, by word and shape. */
export function Badge({ tone, children }: { tone: Tone; children: string | number }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** Returns the tone of an HTTP status; one without an answer is still open, or was cut off. */
export function toneOfStatus(status: number | null): Tone {
  if (status === null) return 'wait';
  if (status === 202) return 'run';
  return status < 400 ? 'good' : status < 500 ? 'warn' : 'bad';
}

const TONES: Record<JobStatus, Tone> = { queued: 'wait', processing: 'run', completed: 'good', failed: 'bad' };

/** Returns the tone of a job's state. */
export function toneOfJob(state: JobStatus): Tone {
  return TONES[state];
}
