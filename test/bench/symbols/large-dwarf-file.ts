import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const UNITS = 3;
const COPIES = 33;

/** The first of these programs found on the PATH or in the folder where Debian installs a version of LLVM, or null. */
export function findProgram(...names: string[]): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/lib/llvm-19/bin'];
  for (const name of names) {
    const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
    if (found) return found;
  }
  return null;
}

/**
 * A shared library of more than 100 MB with DWARF 5, built with the machine's C++ compiler and kept between runs; null
 * without a compiler. A few units full of standard-library templates are compiled and linked many times: without their
 * section groups, the linker keeps every copy at its own addresses.
 */
export function largeDwarfFile(log: (line: string) => void): string | null {
  const compiler = findProgram('clang++-19', 'clang++', 'g++');
  const objcopy = findProgram('objcopy', 'llvm-objcopy-19', 'llvm-objcopy');
  if (!compiler || !objcopy) return null;
  const folder = join(tmpdir(), 'quarterdeck-bench-native');
  const library = join(folder, 'large.so');
  if (existsSync(library)) return library;
  log('compiling a library with more than 100 MB of debug information, once');
  mkdirSync(folder, { recursive: true });
  const objects: string[] = [];
  for (let unit = 0; unit < UNITS; unit++) {
    const source = join(folder, `unit${unit}.cpp`);
    const object = join(folder, `unit${unit}.o`);
    writeFileSync(source, unitSource(unit));
    execFileSync(compiler, ['-w', '-std=c++17', '-O2', '-gdwarf-5', '-fPIC', '-c', source, '-o', object]);
    execFileSync(objcopy, ['--remove-section=.group', object]);
    for (let copy = 0; copy < COPIES; copy++) {
      const copied = join(folder, `unit${unit}-${copy}.o`);
      copyFileSync(object, copied);
      objects.push(copied);
    }
  }
  const linked = `${library}.new`;
  execFileSync(compiler, ['-shared', '-Wl,-z,muldefs', '-Wl,--build-id=sha1', ...objects, '-o', linked]);
  for (const object of objects) rmSync(object);
  renameSync(linked, library);
  return library;
}

function unitSource(unit: number): string {
  return `
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>
namespace unit${unit} {
struct Key {
  int number;
  std::string name;
  bool operator<(const Key& other) const { return number < other.number || (number == other.number && name < other.name); }
  bool operator==(const Key& other) const { return number == other.number; }
};
struct Hash { size_t operator()(const Key& key) const { return key.number; } };
struct Store {
  std::map<Key, std::shared_ptr<Key>> tree;
  std::unordered_map<Key, std::vector<Key>, Hash> table;
  std::multimap<std::string, Key> index;
  std::set<Key> keys;
  void put(Key key) {
    tree[key] = std::make_shared<Key>(key);
    table[key].push_back(key);
    keys.insert(key);
    index.emplace(key.name, key);
  }
  std::string show() const {
    std::ostringstream out;
    for (auto& entry : tree) out << entry.first.number << entry.second->name;
    return out.str();
  }
};
int run(int rounds, const std::string& text) {
  Store store;
  std::regex pattern("([a-z]+)-([0-9]+)${unit}");
  std::smatch match;
  std::vector<Key> list;
  for (int round = 0; round < rounds; round++) {
    store.put({round, text + std::to_string(round)});
    list.push_back({rounds - round, text});
  }
  std::sort(list.begin(), list.end());
  std::stable_sort(list.begin(), list.end(), [](const Key& a, const Key& b) { return b < a; });
  auto middle = std::partition(list.begin(), list.end(), [](const Key& key) { return key.number > ${unit}; });
  std::function<int(int)> add = [&](int value) { return value + int(list.size()); };
  if (std::regex_search(text, match, pattern)) return add(int(match.size()) + int(middle - list.begin()));
  return std::regex_replace(text, pattern, "$1").size() + store.show().size();
}
}
`;
}
