import type { Command } from 'commander';
import { declareKeys } from './admin/keys.js';
import { declareOrgs } from './admin/orgs.js';
import { declarePlans } from './admin/plans.js';
import { define, examples, type Invoke } from './declare.js';

export function declareAdmin(admin: Command, invoke: Invoke): void {
  admin.addHelpText('after', examples(['ocr admin orgs', 'ocr admin orgs list --json']));
  declareOrgs(define(admin, 'orgs', 'organisations: who may call, under which plan'), invoke);
  declareKeys(define(admin, 'keys', 'API keys of the organisations'), invoke);
  declarePlans(define(admin, 'plans', 'what the plans allow'), invoke);
}
