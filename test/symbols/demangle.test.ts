import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { demangleSymbol } from '../../src/symbols/native/demangle/demangle-symbol.js';

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

demangle('what is not a C++ name stays as it is', () => {
  for (const name of [
    'main',
    '_start',
    '',
    '_Z',
    '_ZZZZ',
    '-[A b:]',
    '$s4main3FooV',
    '_ZN4game6Engine',
    '_ZS_',
    '_ZT_',
  ]) {
    assert.is(demangleSymbol(name), name);
  }
});

demangle('names that unfold without end stay as they are', () => {
  const doubling = `_Z1fI${'St4pairI'.repeat(40)}i${'S_E'.repeat(40)}Evv`;
  const nested = `_Z1f${'P'.repeat(5000)}i`;
  const folded = `_ZN1a1bI${Array.from({ length: 60 }, (_, index) => `1aIS${index.toString(36).toUpperCase()}_S${index.toString(36).toUpperCase()}_E`).join('')}EEvv`;
  for (const name of [doubling, nested, folded]) {
    const started = performance.now();
    demangleSymbol(name);
    assert.ok(performance.now() - started < 1000);
  }
});

demangle.run();
