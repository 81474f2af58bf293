/** Part of the key under which results are cached: raise it with every change of what the engine puts out. */
export const ENGINE_VERSION = '4';
