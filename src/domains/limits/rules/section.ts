import { hasAtMost } from '../../../platform/text.js';
import { type Flaw, type Located, type LocatedMap, quoted, shown } from './located.js';

/** The largest number that a rule may hold. */
const MAX_NUMBER = 2_147_483_647;
const MAX_TEXT = 256;

/** One mapping of the document, read field by field. What is wrong is added to the flaws; the field is then undefined. */
export class Section {
  private readonly map: LocatedMap;
  private readonly path: readonly string[];
  private readonly flaws: Flaw[];

  constructor(map: LocatedMap, path: readonly string[], flaws: Flaw[]) {
    this.map = map;
    this.path = path;
    this.flaws = flaws;
  }

  has(name: string): boolean {
    return this.map.entries.has(name);
  }

  get(name: string): Located | undefined {
    return this.map.entries.get(name)?.value;
  }

  pathTo(name: string): readonly string[] {
    return [...this.path, name];
  }

  /** Something is wrong with the whole. */
  flaw(message: string): void {
    this.flaws.push({ at: this.map.at, message, path: this.path });
  }

  /** Something is wrong with a field's value. */
  flawOf(name: string, message: string): undefined {
    this.flaws.push({ at: this.get(name)?.at ?? this.map.at, message, path: this.pathTo(name) });
  }

  /** A field should not be here. */
  flawOfKey(name: string, message: string): void {
    const at = this.map.entries.get(name)?.keyAt ?? this.map.at;
    this.flaws.push({ at, message, path: this.pathTo(name) });
  }

  refuseOthersThan(allowed: readonly string[]): void {
    for (const name of this.map.entries.keys()) {
      if (allowed.includes(name)) continue;
      this.flawOfKey(name, `unknown key ${quoted(name)}; allowed here: ${allowed.join(', ')}`);
    }
  }

  number(name: string): number | undefined {
    const located = this.get(name);
    if (!located) return undefined;
    const value = located.kind === 'scalar' ? located.value : undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_NUMBER)
      return value;
    return this.flawOf(name, `${name} must be a whole number from 1 to ${MAX_NUMBER}; got ${shown(located)}`);
  }

  oneOf<Word extends string>(name: string, allowed: readonly Word[]): Word | undefined {
    const located = this.get(name);
    if (!located) return undefined;
    const word = located.kind === 'scalar' ? allowed.find((each) => each === located.value) : undefined;
    return word ?? this.flawOf(name, `${name} must be ${orList(allowed)}; got ${shown(located)}`);
  }

  flag(name: string): boolean | undefined {
    const located = this.get(name);
    if (!located) return undefined;
    if (located.kind === 'scalar' && typeof located.value === 'boolean') return located.value;
    return this.flawOf(name, `${name} must be true or false; got ${shown(located)}`);
  }

  text(name: string): string | undefined {
    const located = this.get(name);
    if (!located) return undefined;
    const value = located.kind === 'scalar' ? located.value : undefined;
    if (typeof value !== 'string') {
      const hint = typeof value === 'number' || typeof value === 'boolean' ? ' (put it in quotes)' : '';
      return this.flawOf(name, `${name} must be a text; got ${shown(located)}${hint}`);
    }
    if (value.length === 0) return this.flawOf(name, `${name} must not be empty`);
    if (!hasAtMost(value, MAX_TEXT)) {
      return this.flawOf(
        name,
        `${name} must have ${MAX_TEXT} characters at most; it has ${[...value].length}`,
      );
    }
    if (/\p{Cc}/u.test(value)) return this.flawOf(name, `${name} must not hold control characters`);
    if (!value.isWellFormed()) return this.flawOf(name, `${name} must not hold half a surrogate pair`);
    return value;
  }

  /** The mapping under a name. */
  section(name: string): Section | undefined {
    const located = this.get(name);
    if (!located) return undefined;
    if (located.kind === 'map') return new Section(located, this.pathTo(name), this.flaws);
    return this.flawOf(name, `${name} must be a mapping; got ${shown(located)}`);
  }

  /** The mappings of the list under a name; items of another kind are flaws. */
  sections(name: string): Section[] | undefined {
    const located = this.get(name);
    if (!located) return undefined;
    if (located.kind !== 'list') return this.flawOf(name, `${name} must be a list; got ${shown(located)}`);
    return located.items.flatMap((item, index) => {
      const path = [...this.pathTo(name), String(index)];
      if (item.kind === 'map') return [new Section(item, path, this.flaws)];
      this.flaws.push({ at: item.at, message: `must be a mapping; got ${shown(item)}`, path });
      return [];
    });
  }
}

/** `a, b or c` */
export const orList = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
