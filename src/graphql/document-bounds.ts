import { GraphQLError, Lexer, Source, type Token, TokenKind } from 'graphql';
import { LIMITS, refuseAbove } from './limits.js';

/** Documents known to be within the bounds; clients send the same ones repeatedly. */
const MOST_KEPT = 256;
const LONGEST_KEPT = 4_096;

/**
 * Rejects documents that would take more than linear time to parse or validate, before either begins, by throwing a {@link GraphQLError}
 * with `QUERY_TOO_LARGE`. Looks only at tokens, in one pass; anything that isn't GraphQL is left to the parser.
 */
export class DocumentBounds {
  private readonly kept = new Set<string>();

  check(document: string): void {
    if (this.kept.has(document)) return;
    refuseAbove('characters', document.length, LIMITS.characters);
    const measure = new DocumentMeasure();
    const lexer = new Lexer(new Source(document));
    try {
      for (let tokens = 0; tokens < LIMITS.tokens && measure.take(lexer.advance()); tokens += 1);
    } catch (error) {
      if (error instanceof GraphQLError && error.extensions.code === undefined) return;
      throw error;
    }
    if (document.length <= LONGEST_KEPT) this.keep(document);
  }

  private keep(document: string): void {
    this.kept.add(document);
    if (this.kept.size > MOST_KEPT) this.kept.delete(this.kept.values().next().value as string);
  }
}

type Place = 'selections' | 'variables' | 'values';

/** Running totals for a document's tokens. */
class DocumentMeasure {
  private readonly places: Place[] = [];
  private before: string = TokenKind.SOF;
  private definitions = 0;
  private variables = 0;
  private directives = 0;
  /** Pairs of selections with the same response name, which validation compares, weighted by the tokens of the later one. */
  private overlaps = 0;
  private readonly timesSelected = new Map<string, number>();
  private timesOfLast = 0;

  /** Counts a token; returns false after the last. Throws `QUERY_TOO_LARGE` as soon as there is one too many. */
  take({ kind, value }: Token): boolean {
    const place = this.places.at(-1);
    if (place === 'values') this.overlap();
    if (kind === TokenKind.BRACE_L || kind === TokenKind.PAREN_L || kind === TokenKind.BRACKET_L)
      this.open(kind, place);
    else if (kind === TokenKind.BRACE_R || kind === TokenKind.PAREN_R || kind === TokenKind.BRACKET_R)
      this.places.pop();
    else if (kind === TokenKind.AT) refuseAbove('directives', ++this.directives, LIMITS.directives);
    else if (kind === TokenKind.DOLLAR && place === 'variables')
      refuseAbove('variables', ++this.variables, LIMITS.variables);
    else if (kind === TokenKind.NAME && place === 'selections') this.select(value);
    this.before = kind === TokenKind.NAME && this.before === TokenKind.SPREAD && value === 'on' ? 'on' : kind;
    return kind !== TokenKind.EOF;
  }

  private open(kind: TokenKind, place: Place | undefined): void {
    if (kind === TokenKind.BRACE_L && place === undefined)
      refuseAbove('definitions', ++this.definitions, LIMITS.definitions);
    const isSelection = kind === TokenKind.BRACE_L && (place === undefined || place === 'selections');
    this.places.push(isSelection ? 'selections' : place === undefined ? 'variables' : 'values');
    refuseAbove('nesting', this.places.length, LIMITS.nesting);
  }

  private select(name: string): void {
    if (this.before === TokenKind.COLON) this.overlap();
    if (this.before === TokenKind.COLON || this.before === TokenKind.AT || this.before === 'on') return;
    if (this.before === TokenKind.SPREAD && name === 'on') return;
    const key = this.before === TokenKind.SPREAD ? '...' : name;
    this.timesOfLast = this.timesSelected.get(key) ?? 0;
    this.timesSelected.set(key, this.timesOfLast + 1);
    this.overlap();
  }

  private overlap(): void {
    this.overlaps += this.timesOfLast;
    refuseAbove('overlaps', this.overlaps, LIMITS.overlaps);
  }
}
