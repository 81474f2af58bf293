// Loaded into the command whose memory is measured: writes its peak, in KiB, where it is told to.
process.on('exit', () => {
  require('node:fs').writeFileSync(process.env.OCR_BENCH_MEMORY_FILE, String(process.resourceUsage().maxRSS));
});
