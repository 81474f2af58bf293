/**
 * Replays what Tesseract (WebAssembly) read before, since recognition is most of the time of the engine's tests. Vitest
 * preloads this file into its processes, and with them into the page workers that they start (vitest.config.ts, execArgv).
 * It stands in for the package tesseract.js-core alone: everything of ours runs as in production.
 *
 * A reading is kept under a digest of the picture's bytes, the segmentation mode and the language models. A picture that is
 * not known, as after a change of what comes before recognition or on a processor that scales pictures another way, is read
 * by the real engine: slower, never wrong. READINGS=engine reads everything so; READINGS=record also writes it down
 * (READINGS=record npm test).
 */
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { MessageChannel, receiveMessageOnPort, Worker } = require('node:worker_threads');
const { brotliCompressSync, brotliDecompressSync } = require('node:zlib');

const FOLDER = path.join(__dirname, '../../fixtures/readings');
/** Digests of language models that the real engine has accepted. */
const MODELS = path.join(FOLDER, 'models.txt');
const PACKAGE = /^tesseract\.js-core\/tesseract-core[\w-]*\.js$/;
/** A new version reads otherwise: nothing that another one read is replayed. */
const VERSION = require('tesseract.js-core/package.json').version;

const load = Module._load;
Module._load = function (request, ...rest) {
  return PACKAGE.test(request) && process.env.READINGS !== 'engine'
    ? async () => createModule(request)
    : load.call(this, request, ...rest);
};

/** The part of the package's interface that src/engine/stages/recognise/wasm-engine.ts uses. */
function createModule(request) {
  const files = new Map();
  const models = [];
  let engine;
  /** The real engine, started when the first picture or model is unknown. */
  const useEngine = (languages, engineMode) => {
    engine ??= createEngine(request, models, languages, engineMode);
    return engine;
  };

  class TessBaseAPI {
    #setting = '';
    #languages = '';
    #engineMode = 0;
    #mode = 0;
    #hocr = '';

    Init(_folder, languages, engineMode) {
      [this.#languages, this.#engineMode] = [languages, engineMode];
      this.#setting = [VERSION, languages, engineMode, ...models.map(({ digest }) => digest)].join(' ');
      const digest = digestOf(this.#setting);
      if (!isRecording() && readModels().includes(digest)) return 0;
      const { code } = useEngine(languages, engineMode);
      if (isRecording() && code === 0 && !readModels().includes(digest)) fs.appendFileSync(MODELS, `${digest}\n`);
      return code;
    }

    SetPageSegMode(mode) {
      this.#mode = mode;
    }

    SetImageFile() {
      return 0;
    }

    Recognize() {
      const picture = files.get('/input');
      const file = path.join(FOLDER, `${digestOf(this.#setting, String(this.#mode), picture)}.br`);
      if (!isRecording() && fs.existsSync(file)) {
        this.#hocr = brotliDecompressSync(fs.readFileSync(file)).toString();
        return 0;
      }
      const { failed, hocr } = useEngine(this.#languages, this.#engineMode).read(picture, this.#mode);
      if (failed) return 1;
      this.#hocr = hocr;
      if (isRecording()) writeWhole(file, brotliCompressSync(hocr));
      return 0;
    }

    GetHOCRText() {
      return this.#hocr;
    }

    Clear() {}
  }

  const FS = {
    writeFile(name, bytes) {
      files.set(name, bytes);
      if (name.endsWith('.traineddata')) models.push({ name, bytes, digest: modelDigest(bytes) });
    },
    unlink: (name) => files.delete(name),
  };
  return { FS, TessBaseAPI };
}

const isRecording = () => process.env.READINGS === 'record';
const readModels = () => (fs.existsSync(MODELS) ? fs.readFileSync(MODELS, 'utf8').split('\n') : []);

/** Starts the real engine in a thread of its own; its callers wait, since those of the real module are synchronous. */
function createEngine(request, models, languages, engineMode) {
  const { port1, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(path.join(__dirname, 'engine-thread.cjs'), {
    workerData: { request, models: models.map(({ name, bytes }) => ({ name, bytes })), port: port2, signal },
    transferList: [port2],
    env: { ...process.env, READINGS: 'engine' },
  });
  thread.unref();
  port1.unref();
  const ask = (question) => {
    Atomics.store(signal, 0, 0);
    port1.postMessage(question);
    Atomics.wait(signal, 0, 0);
    return receiveMessageOnPort(port1)?.message;
  };
  const code = ask({ languages, engineMode });
  return { code, read: (picture, mode) => ask({ picture, mode }) };
}

/** Models have megabytes: their length and ends tell them apart. */
function modelDigest(bytes) {
  return digestOf(String(bytes.length), bytes.subarray(0, 4096), bytes.subarray(-4096));
}

function digestOf(...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 32);
}

/** Several threads may record the same reading. */
function writeWhole(file, bytes) {
  const temporary = `${file}.${process.pid}.${Math.random()}`;
  fs.writeFileSync(temporary, bytes);
  fs.renameSync(temporary, file);
}
