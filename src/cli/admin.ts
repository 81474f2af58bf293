import type { Command } from 'commander';
import { declareOrgs } from './admin/orgs.js';
import { define, examples, type Invoke } from './declare.js';

export function declareAdmin(admin: Command, invoke: Invoke): void {
  admin.addHelpText('after', examples(['ocr admin orgs', 'ocr admin orgs list --json']));
  declareOrgs(define(admin, 'orgs', 'organisations: who may call, under which plan'), invoke);
}
