import { expect, test } from 'vitest';
import { killCommand } from '../../../src/local/kill-command.js';

test('the hint that ends a process → the command of the system', () => {
  expect(killCommand(12, 'win32')).toBe('taskkill /F /PID 12');
  expect(killCommand(12, 'darwin')).toBe('kill -9 12');
});
