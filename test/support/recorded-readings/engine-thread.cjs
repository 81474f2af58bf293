/** The thread of the real engine, for pictures that no recording is of. */
const { workerData } = require('node:worker_threads');

const { request, models, port, signal } = workerData;
let api;

const started = require(request)({ print: () => undefined, printErr: () => undefined }).then(({ FS, TessBaseAPI }) => {
  for (const { name, bytes } of models) FS.writeFile(name, bytes);
  api = new TessBaseAPI();
  return FS;
});

port.on('message', async (question) => {
  const FS = await started;
  port.postMessage(answerOf(FS, question));
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
});

function answerOf(FS, { languages, engineMode, picture, mode }) {
  if (picture === undefined) return api.Init('/', languages, engineMode);
  FS.writeFile('/input', picture);
  api.SetPageSegMode(mode);
  const failed = api.SetImageFile(1, 0) !== 0 || api.Recognize(null) !== 0;
  FS.unlink('/input');
  const hocr = failed ? '' : api.GetHOCRText(0);
  if (!failed) api.Clear();
  return { failed, hocr };
}
