// A second way to count tilings of a rectangle: a plain loop over cells with a hash table for each, modulo a prime.
//
//     g++ -O2 -o check check.cpp && ./check WIDTH HEIGHT KIND PRIME
//
// KIND: 4 or 5, all polyominoes of so many cells; 51, those of five and monominoes; V, right trominoes; V1, those and monominoes;
// Vm, those and exactly one monomino; VO, those and squares of 2 x 2; 23, dominoes and straight trominoes; T1, all trominoes and
// monominoes; T2, all trominoes and dominoes. Prints the number modulo PRIME (below 2^63), the most
// states at a time and the transitions. Nothing of it is shared with the program: no pruning, no symmetry, no wide numbers.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>
using namespace std;
typedef uint64_t u64;
typedef vector<pair<int, int>> Shape;

static Shape normal(Shape s) {
    int r = 1 << 20, c = 1 << 20;
    for (auto &x : s) r = min(r, x.first), c = min(c, x.second);
    for (auto &x : s) x.first -= r, x.second -= c;
    sort(s.begin(), s.end());
    return s;
}
static set<Shape> fixed_polyominoes(int n) {
    set<Shape> now{{{0, 0}}};
    for (int k = 1; k < n; k++) {
        set<Shape> next;
        for (auto &s : now)
            for (auto &x : s)
                for (auto d : {make_pair(0, 1), make_pair(1, 0), make_pair(0, -1), make_pair(-1, 0)}) {
                    pair<int, int> y(x.first + d.first, x.second + d.second);
                    if (find(s.begin(), s.end(), y) != s.end()) continue;
                    Shape t = s;
                    t.push_back(y);
                    next.insert(normal(t));
                }
        now = next;
    }
    return now;
}
struct Table {
    vector<u64> key, number;
    size_t used = 0;
    u64 prime;
    Table(u64 p, size_t room = 1 << 10) : key(room, ~0ull), number(room), prime(p) {}
    void add(u64 k, u64 n) {
        if (2 * used > key.size()) {
            Table t(prime);
            t.key.assign(2 * key.size(), ~0ull), t.number.assign(2 * key.size(), 0);
            for (size_t i = 0; i < key.size(); i++)
                if (key[i] != ~0ull) t.add(key[i], number[i]);
            swap(key, t.key), swap(number, t.number);
        }
        size_t m = key.size() - 1, i = (k * 0x9E3779B97F4A7C15ull >> 20) & m;
        while (key[i] != ~0ull && key[i] != k) i = (i + 1) & m;
        if (key[i] == ~0ull) key[i] = k, number[i] = 0, used++;
        number[i] += n;
        if (number[i] >= prime) number[i] -= prime;
    }
};
int main(int argc, char **argv) {
    int w = atoi(argv[1]), h = atoi(argv[2]);
    string kind = argv[3];
    u64 p = strtoull(argv[4], 0, 10), one = 1ull << 62;
    vector<pair<Shape, bool>> shapes;  // and whether it may be used once only
    auto all = [&](int n) { for (auto &s : fixed_polyominoes(n)) shapes.push_back({s, false}); };
    if (kind == "4" || kind == "5" || kind == "51") all(kind[0] - '0');
    if (kind[0] == 'T') all(3), all(kind[1] - '0');
    if (kind == "VO") shapes.push_back({{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, false});
    if (kind == "23") {
        all(2);
        for (auto &s : fixed_polyominoes(3)) if (s[0].first == s[2].first || s[0].second == s[2].second && s[1].second == s[0].second) shapes.push_back({s, false});
    }
    if (kind[0] == 'V')
        for (auto &s : fixed_polyominoes(3)) {
            int rows = s[2].first, columns = 0;
            for (auto &x : s) columns = max(columns, x.second);
            if (rows == 1 && columns == 1) shapes.push_back({s, false});
        }
    if (kind == "51" || kind == "V1" || kind == "Vm") shapes.push_back({{{0, 0}}, kind == "Vm"});
    Table now(p);
    now.add(0, 1);
    size_t most = 1;
    u64 transitions = 0;
    for (int cell = 0; cell < w * h; cell++) {
        int row = cell / w, column = cell % w;
        vector<pair<u64, bool>> fits;
        for (auto &[s, once] : shapes) {
            u64 mask = 0;
            bool inside = true;
            for (auto &x : s) {
                int r = row + x.first, c = column + x.second - s[0].second;
                if (r >= h || c < 0 || c >= w) { inside = false; break; }
                mask |= 1ull << (r * w + c - cell);
            }
            if (inside) fits.push_back({mask, once});
        }
        Table next(p, now.key.size());  // Keys come in the order of their hashes: in a small table they would lie in long runs.
        for (size_t i = 0; i < now.key.size(); i++) {
            if (now.key[i] == ~0ull) continue;
            u64 k = now.key[i], used = k & one, mask = k & ~one;
            if (mask & 1) { next.add(mask >> 1 | used, now.number[i]), transitions++; continue; }
            for (auto &[f, once] : fits)
                if (!(mask & f) && !(once && used)) next.add((mask | f) >> 1 | (once ? one : used), now.number[i]), transitions++;
        }
        swap(now, next);
        most = max(most, now.used);
    }
    u64 result = 0;
    for (size_t i = 0; i < now.key.size(); i++)
        if (now.key[i] == (kind == "Vm" ? one : 0)) result = now.number[i];
    printf("%llu states %zu transitions %llu\n", (unsigned long long)result, most, (unsigned long long)transitions);
}
