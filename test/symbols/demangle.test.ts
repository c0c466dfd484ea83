import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { demangleSymbol } from '../../src/symbols/native/demangle/demangle-symbol.js';

const NAMES = join(process.cwd(), 'test', 'fixtures', 'symbols', 'names', 'built');

const demangle = suite('demangling');

const EXAMPLES: ReadonlyArray<readonly [string, string]> = [
  ['_ZN4game6EngineC1Ei', 'game::Engine::Engine(int)'],
  ['_ZN4game6EngineD2Ev', 'game::Engine::~Engine()'],
  ['_ZN4game3mixIiEET_S1_S1_', 'int game::mix<int>(int, int)'],
  ['_ZNK4game6Engine5ticksEv', 'game::Engine::ticks() const'],
  ['_ZN12_GLOBAL__N_15clampEii', '(anonymous namespace)::clamp(int, int)'],
  ['_ZZN4game6Engine4stepEiENK3$_0clEi', 'game::Engine::step(int)::$_0::operator()(int) const'],
  ['_ZZ4mainENKUlvE_clEv', "main::'lambda'()::operator()() const"],
  ['_Z1fPFbPvEPA4_iM1AFvcE', 'f(bool (*)(void*), int (*) [4], void (A::*)(char))'],
  ['_ZNSt6vectorIiSaIiEE9push_backEOi', 'std::vector<int, std::allocator<int>>::push_back(int&&)'],
  ['_ZNSsC1EPKc', 'std::basic_string<char, std::char_traits<char>, std::allocator<char>>::basic_string(char const*)'],
  ['_Z4callIJiPKcdEEvDpOT_', 'void call<int, char const*, double>(int&&, char const*&&, double&&)'],
  ['_ZN1AcvbEv', 'A::operator bool()'],
  ['_ZlsRSoRK1A', 'operator<<(std::ostream&, A const&)'],
  ['_ZTVN4game6EngineE', 'vtable for game::Engine'],
  ['_ZThn16_N1A1fEv', 'non-virtual thunk to A::f()'],
  ['_ZGVZ4mainE1x', 'guard variable for main::x'],
  ['_ZN1A1fB5cxx11Ev', 'A::f[abi:cxx11]()'],
  ['_Z1fI1AXadL_ZNS0_1gEvEEEvv', 'void f<A, &A::g()>()'],
  ['_ZN3foo3barEv.isra.6', 'foo::bar() (.isra.6)'],
];

for (const [mangled, expected] of EXAMPLES) {
  demangle(mangled, () => assert.is(demangleSymbol(mangled), expected));
}

demangle('Rust names in both mangling schemes', () => {
  const examples: ReadonlyArray<readonly [string, string]> = [
    ['_RNvNtCs1234_7mycrate3foo3bar', 'mycrate::foo::bar'],
    ['__RNvCs1234_7mycrate3foo', 'mycrate::foo'],
    ['_RNCNvCs1234_7mycrate3foos_0', 'mycrate::foo::{closure#1}'],
    ['_RINvCs1234_7mycrate3fooKj2a_Kb1_Kc61_E', "mycrate::foo::<42, true, 'a'>"],
    ['_RNvC7mycrateu8gdel_5qa', 'mycrate::gödel'],
    ['_RNvC7mycrate3foo.llvm.1234ABCD', 'mycrate::foo'],
    ['_RNvC7mycrate3foo.cold', 'mycrate::foo.cold'],
    ['_ZN4core3fmt5write17h0123456789abcdefE', 'core::fmt::write'],
    [
      '_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar17h930b740aa94f1d3aE',
      "<Test + 'static as foo::Bar<Test>>::bar",
    ],
  ];
  for (const [mangled, expected] of examples) assert.is(demangleSymbol(mangled), expected);
});

for (const language of ['rust', 'cpp']) {
  demangle(`every name in our own ${language} corpus is written as by its reference demangler`, () => {
    const lines = gunzipSync(readFileSync(join(NAMES, `${language}.tsv.gz`)))
      .toString()
      .trim()
      .split('\n');
    const names = lines.map((line) => line.split('\t') as [string, string]);
    // LLVM writes an empty pack of values as three dots.
    const differing = names.filter(
      ([mangled, expected]) => demangleSymbol(mangled) !== expected.replace('<...>', '<>'),
    );
    // LLVM counts one substitution too few after a template template parameter, gives up on some of GCC's names, and
    // writes constraints, which we omit.
    const unforeseen = differing.filter(
      ([mangled, expected]) =>
        !(language === 'cpp' && (mangled.includes('6shelve') || mangled === expected)) &&
        !expected.startsWith(`${demangleSymbol(mangled)} requires `),
    );
    assert.equal(unforeseen, []);
    assert.ok(names.length > 4500 && differing.length < names.length / 100);
  });
}

demangle(
  'nearly every name in our own Swift corpus is written as by swift-demangle, and the others stay unchanged',
  () => {
    const lines = gunzipSync(readFileSync(join(NAMES, 'swift.tsv.gz')))
      .toString()
      .trim()
      .split('\n');
    let left = 0;
    for (const line of lines) {
      const [mangled = '', expected = ''] = line.split('\t');
      const plain = demangleSymbol(mangled);
      if (plain === mangled) left += 1;
      else assert.is(plain, expected, mangled);
    }
    assert.ok(lines.length > 4000 && left < lines.length / 100, `${left} of ${lines.length}`);
  },
);

demangle('Swift names that contradict themselves or expand endlessly stay unchanged', () => {
  const doubling = `$s1a1b${'AA_AAt'.repeat(2000)}F`;
  const repeated = '$s1a4000Si99999SiF';
  const names = [
    '$s',
    '$sF',
    '$s4main',
    '$s4mainyyF',
    '$sAAZ',
    '$s99999a',
    '$s4main3fooyyFTA_',
    '$s0aF',
    '$s1a1bSiSgSgSgF',
  ];
  for (const name of [...names, doubling, repeated]) assert.is(demangleSymbol(name), name);
  const whole = '$s6cellar4RackC4pour4into4withSbSaySSG_6cellar3BoxVySiSSGtYaKFyycfU_TY0_';
  for (let length = 0; length < whole.length; length++) demangleSymbol(whole.slice(0, length));
});

demangle('a truncated name stays unchanged or ends early, without delay', () => {
  const name =
    '_RINvNtCs1234_7mycrate3foo3barNtB2_3QuxDNtB2_5Traitp4ItemFG_RL0_hEuEL_KRe616263_KAj1_j2_EINtNtB4_3fn13BoxRDB1_EL_EEB4_';
  for (let length = 0; length <= name.length; length++) {
    const cut = name.slice(0, length);
    const plain = demangleSymbol(cut);
    assert.ok(plain === cut || plain.startsWith('mycrate') || plain.startsWith('<'));
  }
});

demangle('other names stay unchanged', () => {
  for (const name of ['main', '_start', '', '_Z', '_ZZZZ', '-[A b:]', '_ZN4game6Engine', '_ZS_', '_ZT_']) {
    assert.is(demangleSymbol(name), name);
  }
});

demangle('names that expand endlessly stay unchanged', () => {
  const doubling = `_Z1fI${'St4pairI'.repeat(40)}i${'S_E'.repeat(40)}Evv`;
  const nested = `_Z1f${'P'.repeat(5000)}i`;
  const folded = `_ZN1a1bI${Array.from({ length: 60 }, (_, index) => `1aIS${index.toString(36).toUpperCase()}_S${index.toString(36).toUpperCase()}_E`).join('')}EEvv`;
  const repeated = `_RNvC1aT${'TB4_B4_'.repeat(1000)}E`;
  const wide = `_RIC1a${Array.from({ length: 40 }, () => 'TB0_B0_').join('')}${'E'.repeat(41)}`;
  const deep = `_RNvMC1a${'R'.repeat(8000)}u1b`;
  // Expanded, the text of most of these would not fit into any memory.
  for (const name of [doubling, nested, folded, repeated, wide, deep]) assert.ok(demangleSymbol(name).length < 100_000);
});

demangle.run();
