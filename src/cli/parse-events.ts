import { EVENT_TYPES, type EventType, isEventType } from '../contract/webhook-event.js';
import { InvalidArgumentError } from './commander.js';

/** Returns the types in a list of events, separated by commas. @throws InvalidArgumentError */
export function parseEvents(text: string): EventType[] {
  const chosen = text.split(',').map((item) => item.trim());
  if (!chosen.every(isEventType)) throw new InvalidArgumentError(`The events are ${EVENT_TYPES.join(' and ')}.`);
  return chosen;
}
