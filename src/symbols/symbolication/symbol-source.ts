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

/** Where symbolication gets its tables from: the newest ready artifact that one of the keys names, or null. */
export interface SymbolSource {
  native(keys: string[], arch: string | null): Promise<NativeSymbols | null>;
  /** Symbols of a Flutter build by id; without keys by the event's release and architecture, unless they have an id of a form. */
  flutter(keys: string[], arch: string | null, unlessId?: IdForm | null): Promise<NativeSymbols | null>;
  /** By debug id, else the map whose path is most like the script's. */
  sourceMap(debugIds: string[], script: string): Promise<SourceMapResolver | null>;
  /** The script itself, found as its map is. */
  script(debugIds: string[], script: string): Promise<ScriptCode | null>;
  /** A mapping by id; without keys the one of the event's release, unless it has an id of a form. */
  mapping(keys: string[], unlessId?: IdForm | null): Promise<Mapping | null>;
}
