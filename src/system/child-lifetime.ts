/**
 * Returns the options of a child that must end with this process, with all that it starts. Elsewhere it leads a process group,
 * which ends as one. Windows has no groups: there Node puts a child that is not detached into a job that the system ends with its
 * parent, however that dies. A console program without `windowsHide` opens a window when its parent has no console.
 */
export function childLifetime(platform: NodeJS.Platform = process.platform): { detached: boolean; windowsHide: true } {
  return { detached: platform !== 'win32', windowsHide: true };
}

/** Returns the options of a child that outlives this process: the service in the background, without a console window. */
export function backgroundLifetime(): { detached: true; windowsHide: true } {
  return { detached: true, windowsHide: true };
}
