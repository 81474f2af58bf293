import { declareBackup } from './admin/backup.js';
import { declareImport } from './admin/import.js';
import { declareJobs } from './admin/jobs.js';
import { declareKeys } from './admin/keys.js';
import { declareMigrate } from './admin/migrate.js';
import { declareOrgs } from './admin/orgs.js';
import { declarePlans } from './admin/plans.js';
import { declarePortal } from './admin/portal.js';
import { declareRequests } from './admin/requests.js';
import { declareWebhooks } from './admin/webhooks.js';
import type { Command } from './commander.js';
import { define, type Invoke, renderExamples } from './declare.js';

export function declareAdmin(admin: Command, invoke: Invoke): void {
  admin.addHelpText('after', renderExamples(['ocr admin orgs', 'ocr admin orgs list --json']));
  declareOrgs(define(admin, 'orgs', 'organisations: who may call, under which plan'), invoke);
  declareKeys(define(admin, 'keys', 'API keys of the organisations'), invoke);
  declarePlans(define(admin, 'plans', 'what the plans allow'), invoke);
  declareRequests(define(admin, 'requests', 'the request log: every call, including refused ones'), invoke);
  declareJobs(define(admin, 'jobs', 'jobs of every organisation: queued, running, finished'), invoke);
  declarePortal(define(admin, 'portal', 'a link that lets one person into the portal, once'), invoke);
  declareBackup(define(admin, 'backup', 'copy the data directory, even while its service runs'), invoke);
  declareMigrate(define(admin, 'migrate', 'create or upgrade the tables of a shared database'), invoke);
  declareImport(define(admin, 'import', 'move the data directory of a stopped service into a shared database'), invoke);
  declareWebhooks(
    define(admin, 'webhooks', 'endpoints that are told when a document is done, and their deliveries'),
    invoke,
  );
}
