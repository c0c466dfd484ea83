/** One-letter codes of builtin types (Itanium C++ ABI, 5.1.5.2). */
export const BUILTIN_TYPES: ReadonlyMap<string, string> = new Map([
  ['v', 'void'],
  ['w', 'wchar_t'],
  ['b', 'bool'],
  ['c', 'char'],
  ['a', 'signed char'],
  ['h', 'unsigned char'],
  ['s', 'short'],
  ['t', 'unsigned short'],
  ['i', 'int'],
  ['j', 'unsigned int'],
  ['l', 'long'],
  ['m', 'unsigned long'],
  ['x', 'long long'],
  ['y', 'unsigned long long'],
  ['n', '__int128'],
  ['o', 'unsigned __int128'],
  ['f', 'float'],
  ['d', 'double'],
  ['e', 'long double'],
  ['g', '__float128'],
  ['z', '...'],
]);

/** Builtin types whose code is D plus a letter. */
export const BUILTIN_D_TYPES: ReadonlyMap<string, string> = new Map([
  ['d', 'decimal64'],
  ['e', 'decimal128'],
  ['f', 'decimal32'],
  ['h', 'half'],
  ['i', 'char32_t'],
  ['s', 'char16_t'],
  ['u', 'char8_t'],
  ['a', 'auto'],
  ['c', 'decltype(auto)'],
  ['n', 'std::nullptr_t'],
]);

/** Abbreviations of the standard library: S plus a letter. */
export const STANDARD_NAMES: ReadonlyMap<string, string> = new Map([
  ['t', 'std'],
  ['a', 'std::allocator'],
  ['b', 'std::basic_string'],
  ['s', 'std::string'],
  ['i', 'std::istream'],
  ['o', 'std::ostream'],
  ['d', 'std::iostream'],
]);

/** Full names of abbreviated classes, used in the names of their constructors and destructors. */
export const STANDARD_CLASSES: ReadonlyMap<string, string> = new Map([
  ['std::string', 'std::basic_string<char, std::char_traits<char>, std::allocator<char>>'],
  ['std::istream', 'std::basic_istream<char, std::char_traits<char>>'],
  ['std::ostream', 'std::basic_ostream<char, std::char_traits<char>>'],
  ['std::iostream', 'std::basic_iostream<char, std::char_traits<char>>'],
]);

/** Suffixes of integer literals; other types are written as a cast. */
export const LITERAL_SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['i', ''],
  ['j', 'u'],
  ['l', 'l'],
  ['m', 'ul'],
  ['x', 'll'],
  ['y', 'ull'],
]);
