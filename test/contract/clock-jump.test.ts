import { test } from 'vitest';
import { expectOneReading, HOUR_MS } from './clock-jump-suite.js';

test('a clock set forward while a document is read → it is read once', () => expectOneReading(HOUR_MS));
