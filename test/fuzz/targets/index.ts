import type { FuzzTarget } from '../fuzz-target.js';
import { args } from './args.js';
import { codeMap } from './code-map.js';
import { config } from './config.js';
import { foreignServer } from './foreign-server.js';
import { hocr } from './hocr.js';
import { bmp, images, tiff } from './images.js';
import { http, multipartBody } from './multipart.js';
import { pdf } from './pdf.js';
import { pdfObjects } from './pdf-objects.js';
import { signature, verifyWebhook } from './webhooks.js';

export const targets: readonly FuzzTarget[] = [
  ...[args, bmp, codeMap, config, foreignServer, hocr, http, images],
  ...[multipartBody, pdf, pdfObjects, signature, tiff, verifyWebhook],
];
