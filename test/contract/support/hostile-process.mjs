// Speaks the protocol of src/service/documents/protocol.ts and does what the document says, so that the limits around
// document processes can be tested: "%PDF-1.4 PAGES=3 DO=crash".
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

process.on('disconnect', () => process.exit(1));
process.on('message', async (task) => {
  const text = readFileSync(task.path, 'latin1');
  const read = (name) => new RegExp(`${name}=(\\S+)`).exec(text)?.[1];
  const pageCount = Number(read('PAGES') ?? 1);
  if (task.type === 'count-pages') {
    if (read('COUNTS') !== undefined) appendFileSync(read('COUNTS'), `${read('N')}\n`);
    if (read('COUNTED_BY') !== undefined) appendFileSync(read('COUNTED_BY'), `${process.pid}\n`);
    switch (read('COUNT')) {
      case 'crash':
        return process.abort();
      case 'hang':
        return;
      case 'spin':
        for (;;);
      case 'owner':
        return process.send({ type: 'counted', pageCount: task.isOwnerNew ? 2 : 1 });
      case 'refuse':
        return process.send({ type: 'refused', reason: 'damaged', message: 'the test wants it so' });
      case 'wait':
        while (!existsSync(read('COUNT_GATE'))) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return process.send({ type: 'counted', pageCount });
  }
  const marker = read('MARKER');
  const isFirst = marker === undefined || !existsSync(marker);
  if (marker !== undefined) appendFileSync(marker, `${process.pid}\n`);
  switch (isFirst || read('ALWAYS') ? read('DO') : 'answer') {
    case 'crash':
      return process.abort();
    case 'hang':
      return;
    case 'spin':
      for (;;);
    case 'helper': {
      // A helper that outlives its parent unless the whole group is killed.
      const helper = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      appendFileSync(read('PIDS'), `${helper.pid}\n`);
      return;
    }
    case 'memory': {
      // With progress, however long a busy machine takes for the memory.
      const held = [];
      setInterval(() => {
        held.push(Buffer.alloc(64 * 1024 * 1024, 1));
        process.send({ type: 'progress', pagesDone: held.length, pageCount });
      }, 20);
      return;
    }
    case 'fault':
      return process.send({ type: 'fault', message: 'a secret of the program' });
    case 'refuse':
      return process.send({ type: 'refused', reason: read('REASON'), message: 'the test wants it so' });
    case 'environment':
      return done({ text: JSON.stringify(process.env) });
    case 'args':
      return done({ text: JSON.stringify(task.args) });
    case 'parallelism':
      return done({ text: String(task.parallelism) });
    case 'wait':
      while (!existsSync(read('GATE'))) await new Promise((resolve) => setTimeout(resolve, 10));
      break;
    case 'compute':
      // Children one after the other, as the readings of a page are.
      while (!existsSync(read('GATE'))) spawnSync('sh', ['-c', 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done']);
      break;
    case 'slow':
      for (let page = 1; page <= pageCount; page++) {
        await new Promise((resolve) => setTimeout(resolve, Number(read('PAGE_MS') ?? 50)));
        process.send({ type: 'progress', pagesDone: page, pageCount });
      }
  }
  // The parent is the process that holds the job.
  if (read('TEXT') === 'ppid') return done({ text: String(process.ppid) });
  return done({ text: read('TEXT') ?? 'text' });
  function done(result) {
    const ranOutOfTime = read('CUT') !== undefined;
    // One of PDFs that no native code has worked on: the process may read documents of other organisations.
    const provider = read('PROVIDER') ?? 'pdf-text';
    process.send({ type: 'done', body: JSON.stringify(result), provider, pageCount, ranOutOfTime });
  }
});
