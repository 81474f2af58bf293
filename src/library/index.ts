// The public surface of the package: `import { createClient, verifyWebhook } from 'ocr'`.
export { createClient } from './create-client.js';
export {
  AbortError,
  ConnectionError,
  InputError,
  JobFailedError,
  OcrError,
  ServiceError,
  WebhookError,
  type WebhookErrorReason,
} from './errors.js';
export type {
  CallOptions,
  Client,
  ClientOptions,
  DocumentSource,
  Extraction,
  ExtractOptions,
  FunctionInfo,
  Job,
  Meta,
  Progress,
  RequestInfo,
  ResultOf,
  Results,
  VerifyWebhookOptions,
  WaitOptions,
  WebhookEvent,
} from './types.js';
export { verifyWebhook } from './verify-webhook.js';
