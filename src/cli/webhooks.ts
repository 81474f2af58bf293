import { EVENT_TYPES, type EventType } from '../contract/webhook-event.js';
import { type Command, InvalidArgumentError } from './commander.js';
import { define, type Invoke, onRun, present, renderExamples } from './declare.js';
import { parseEvents } from './parse-events.js';

export function declareWebhooks(webhooks: Command, invoke: Invoke): void {
  webhooks.addHelpText(
    'after',
    renderExamples(['ocr webhooks listen', 'ocr webhooks listen --forward-to http://localhost:3000/hook']),
  );
  const listen = define(webhooks, 'listen', 'print events as they happen, and forward them to a receiver')
    .option('--forward-to <url>', 'post each to this address, signed with the secret printed at the start', parseUrl)
    .option('--events <list>', `which events: ${EVENT_TYPES.join(', ')} (all)`, parseEvents)
    .addHelpText(
      'after',
      renderExamples([
        'ocr webhooks listen --forward-to http://localhost:3000/hook',
        'ocr webhooks listen --events document.failed --json',
      ]),
    );
  onRun(
    listen,
    invoke,
    async () => (await import('../commands/webhooks/listen.js')).listen,
    (command) => {
      const { forwardTo, events } = command.opts();
      return { ...present<string>('forwardTo', forwardTo), events: (events ?? []) as EventType[] };
    },
  );
}

function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url.href;
  throw new InvalidArgumentError('It is an http or https address: http://localhost:3000/hook');
}
