/** Returns the command that ends a process at once, for a hint. */
export function killCommand(pid: number, platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? `taskkill /F /PID ${pid}` : `kill -9 ${pid}`;
}
