/** Part of the key under which results are cached: raise it with every change of the engine's output. */
export const ENGINE_VERSION = '5';
