import type { Mapping } from '../retrace/mapping.js';
import type { SourceMapResolver } from '../source-map/resolve-frame.js';
import type { ScriptCode } from '../source-map/script-code.js';
import type { OpenTable } from '../table/open-table.js';
import type { IdForm } from './symbolication-protocol.js';

export interface NativeSymbols {
  table: OpenTable;
  /** File addresses at which Dart's code starts, or null. */
  dartSections: { isolate: bigint | null; vm: bigint | null } | null;
}

/** Receives symbols that a crash needs and the source lacks. */
export type Missing = (key: string, kind: string) => void;

/** The source of symbolication tables: the newest ready artifact that matches one of the keys, or null. */
export interface SymbolSource {
  native(keys: string[], arch: string | null): Promise<NativeSymbols | null>;
  /**
   * Symbols of a Flutter build by id; without keys, by release and architecture, except symbols that have an id of the
   * given form.
   */
  flutter(keys: string[], arch: string | null, unlessId?: IdForm | null): Promise<NativeSymbols | null>;
  /** By debug id, else the map whose path best matches the script's. */
  sourceMap(debugIds: string[], script: string): Promise<SourceMapResolver | null>;
  /** The script itself, found in the same way as its map. */
  script(debugIds: string[], script: string): Promise<ScriptCode | null>;
  /** A mapping by id; without keys, the one of the event's release, unless it has an id of the given form. */
  mapping(keys: string[], unlessId?: IdForm | null): Promise<Mapping | null>;
}
