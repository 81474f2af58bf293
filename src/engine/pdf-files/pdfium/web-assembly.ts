/** Compiled code, which instances share. */
export type WasmModule = { readonly __isModule: true };

export interface WasmInstance {
  exports: Record<string, unknown>;
}

/** The part of WebAssembly that is used here: Node's types leave it out. */
interface WebAssemblyNamespace {
  Module: new (bytes: Uint8Array) => WasmModule;
  Instance: new (module: WasmModule, imports: object) => WasmInstance;
  compile(bytes: Uint8Array): Promise<WasmModule>;
}

export const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyNamespace };
