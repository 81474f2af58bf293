import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../contract/support/http.js';
import type { SpawnedService } from '../contract/support/spawned-service.js';

/** A document that was sent, and what the service said about it. */
export interface Sent {
  /** Its text, which is the result. */
  text: string;
  key: string;
  /** The request that the service acknowledged with 202 or 200. */
  requestId?: string;
  jobId?: string;
  /** Bytes of the shim's log when the acknowledgement arrived. */
  acknowledgedAt?: number;
  /** The request and job of the end that was seen, with the time of the log. */
  endedAt?: number;
  result?: string;
}

export interface Senders {
  sent: readonly Sent[];
  /** Documents that were acknowledged. */
  acknowledged(): Sent[];
  /** Answers that break the contract. */
  faults: readonly string[];
  /** Stops sending and resolves when all calls have ended. */
  stop(): Promise<void>;
}

export interface SendersOptions {
  /** The present service; undefined while there is none. */
  service(): SpawnedService | undefined;
  callers?: number;
  /** The time that acknowledgements are noted with. */
  now?: () => number;
  /** Milliseconds that a document takes. */
  pageMs?: number;
  /** Directory in which each document's process notes that it reads the document. */
  markers?: string;
  /** Asks some jobs for their end while the faults happen. */
  isPolling?: boolean;
  /** Each caller follows its document to the end before it sends the next one. */
  isFollowing?: boolean;
}

/**
 * Sends documents from several callers, each until it is acknowledged, under one Idempotency-Key. A quarter of the documents are
 * files, the rest rows of the store.
 */
export function startSenders({
  service,
  callers = 6,
  now = () => 0,
  pageMs,
  markers,
  isPolling = false,
  isFollowing = false,
}: SendersOptions): Senders {
  const sent: Sent[] = [];
  const faults: string[] = [];
  let isOver = false;

  async function sendDocuments(): Promise<void> {
    while (!isOver) {
      const number = sent.length;
      const one: Sent = { text: `${number}-${randomBytes(40).toString('hex')}`, key: `fault-${number}` };
      sent.push(one);
      while (!isOver && one.requestId === undefined) {
        if (!(await attempt(one, number))) await sleep(20);
      }
      if (one.jobId === undefined) continue;
      if (isPolling && number % 3 === 0) await poll(one);
      while (isFollowing && !isOver && one.result === undefined) {
        await sleep(50);
        await poll(one);
      }
    }
  }

  /** Returns true when the document was acknowledged. */
  async function attempt(one: Sent, number: number): Promise<boolean> {
    const slow = pageMs === undefined ? '' : ` DO=slow PAGE_MS=${pageMs}`;
    const marker = markers === undefined ? '' : ` ALWAYS=1 MARKER=${join(markers, String(number))}`;
    const file = `%PDF-1.4 TEXT=${one.text}${slow}${marker} ${'x'.repeat(number % 4 === 0 ? 100_000 : 0)}`;
    const headers = { prefer: 'respond-async', 'idempotency-key': one.key };
    const answer = await service()
      ?.client.submit(file, { headers })
      .catch(() => undefined);
    if (answer === undefined) return false;
    if (answer.status === 202) {
      one.acknowledgedAt = now();
      one.requestId = answer.json.requestId;
      one.jobId = answer.json.jobId;
      return true;
    }
    if (answer.json?.error?.code !== 'PROVIDER_UNAVAILABLE')
      faults.push(`${answer.status} ${answer.text.slice(0, 200)}`);
    return false;
  }

  async function poll(one: Sent): Promise<void> {
    const running = service();
    if (running === undefined) return;
    const answer = await running.client.get(`/v1/ocr/jobs/${one.jobId}`).catch(() => undefined);
    if (answer?.json?.status !== 'completed') return;
    one.endedAt = now();
    one.result = answer.json.result?.text;
  }

  const ended = Promise.all(Array.from({ length: callers }, sendDocuments));
  return {
    sent,
    faults,
    acknowledged: () => sent.filter(({ requestId }) => requestId !== undefined),
    stop: async () => {
      isOver = true;
      await ended;
    },
  };
}

/** Resolves when the service has no unfinished jobs. */
export async function untilIdle({ url }: SpawnedService, timeoutMs = 120_000): Promise<void> {
  for (const deadline = performance.now() + timeoutMs; ; await sleep(100)) {
    const { unfinishedJobs } = (await call(`${url}/healthz`)).json;
    if (unfinishedJobs === 0) return;
    if (performance.now() > deadline) throw new Error(`${unfinishedJobs} jobs did not end within ${timeoutMs} ms`);
  }
}
