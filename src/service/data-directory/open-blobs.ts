import { OcrError } from '../../contract/ocr-error.js';
import { type Blobs, createBlobs } from '../../store/blobs/blobs.js';
import { openFileStorage } from '../../store/blobs/file-storage.js';
import type { LargeResults } from '../../store/blobs/large-results.js';
import { createRowStorage } from '../../store/blobs/row-storage.js';
import { openBucket } from '../../store/blobs/s3/bucket.js';
import { locateBucket, type S3Location } from '../../store/blobs/s3/location.js';
import { BlobsUnavailableError } from '../../store/blobs/storage.js';
import type { Store } from '../../store/store.js';
import type { ServiceConfig } from '../config/service-config.js';

export interface OpenBlobs {
  blobs: Blobs;
  /** Undefined where every result is in its row. */
  results: LargeResults | undefined;
  /** @throws OcrError CONFIG_INVALID for a bucket that only an operator can make usable */
  check(): Promise<void>;
  close(): Promise<void>;
}

type BlobSettings = Pick<ServiceConfig, 'dataDir' | 'databaseUrl' | 'blobsUrl'>;

/** Opens the documents and large results of a service, wherever its settings keep them. @throws OcrError CONFIG_INVALID */
export async function openBlobs(
  { dataDir, databaseUrl, blobsUrl }: BlobSettings,
  store: Store,
  env: NodeJS.ProcessEnv = process.env,
): Promise<OpenBlobs> {
  const own = databaseUrl === undefined ? await openFileStorage(dataDir) : createRowStorage(store);
  if (blobsUrl === undefined) {
    const blobs = await createBlobs(dataDir, store, [own]);
    return { blobs, results: undefined, check: async () => {}, close: async () => {} };
  }
  const { documents, results, check, close } = await openBucket(locate(blobsUrl, env), store);
  return {
    blobs: await createBlobs(dataDir, store, [documents, own], results),
    results,
    check: async () => {
      await check().catch((error: unknown) => {
        // A bucket that is away comes back. Calls are answered with 503 until then.
        if (error instanceof BlobsUnavailableError && !error.needsOperator) return;
        throw unusable(error);
      });
    },
    close,
  };
}

function locate(blobsUrl: string, env: NodeJS.ProcessEnv): S3Location {
  try {
    return locateBucket(blobsUrl, env);
  } catch (error) {
    throw unusable(error);
  }
}

function unusable(cause: unknown): OcrError {
  return new OcrError('CONFIG_INVALID', `blobsUrl cannot be used: ${(cause as Error).message}`, {
    hint: 'The keys are those of AWS tools: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT_URL_S3',
    cause,
  });
}
