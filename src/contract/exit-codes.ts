/** Exit codes of the process. EXIT_MEANINGS makes `ocr help exit-codes` and docs/exit-codes.md. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  pending: 3,
  auth: 4,
  notFound: 5,
  limited: 6,
  unreachable: 7,
  partial: 8,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: ReadonlyArray<readonly [ExitCode, string]> = [
  [EXIT.ok, 'all done (also: the reader of a pipe went away)'],
  [
    EXIT.failed,
    'the document or the job failed, or was cancelled; the service refused it; the output cannot be written; the signature does not match',
  ],
  [EXIT.usage, 'usage: a bad flag, argument, file or configuration, found before anything was sent'],
  [EXIT.pending, 'still pending: the wait ended, the job goes on; run the same command again'],
  [EXIT.auth, 'no key, or authentication, permission or subscription: 401, 402, 403'],
  [EXIT.notFound, 'not found or expired: file, job, request, function'],
  [EXIT.limited, 'rate limit or quota: 429 after retries; nothing was accepted'],
  [EXIT.unreachable, 'unreachable: network, TLS, redirect, 5xx after retries, or an answer outside the contract'],
  [EXIT.partial, 'several inputs, some failed'],
  [EXIT.interrupted, 'interrupted (SIGINT)'],
  [EXIT.terminated, 'terminated (SIGTERM, or the terminal was closed)'],
];
