// A second way to count the tilings of a cube by cubes of all sizes: heights of the columns, the lowest column first.
//
//     g++ -O2 -o cubes cubes.cpp && ./cubes SIDE
//
// A state is the height of every column. A cube goes onto the first of the lowest columns, where all columns below it are equally
// high. Prints the number, exact below 2^64. Nothing of it is shared with the program.
#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <vector>
using namespace std;
typedef unsigned __int128 Key;
typedef unsigned long long u64;
struct Hash {
    size_t operator()(Key k) const {
        u64 a = (u64)k * 0x9E3779B97F4A7C15ull, b = (u64)(k >> 64) * 0xC2B2AE3D27D4EB4Full;
        a ^= b + (a >> 29);
        return a * 0xBF58476D1CE4E5B9ull ^ a >> 31;
    }
};
int main(int, char **argv) {
    int n = atoi(argv[1]);
    vector<unordered_map<Key, u64, Hash>> by_volume(n * n * n + 1);
    by_volume[0][0] = 1;
    for (int volume = 0; volume < n * n * n; volume++) {
        for (auto &[key, ways] : by_volume[volume]) {
            int low = n, first = 0;
            auto height = [&](int at) { return (int)(key >> 3 * at & 7); };
            for (int at = 0; at < n * n; at++)
                if (height(at) < low) low = height(at), first = at;
            int row = first / n, column = first % n;
            for (int side = 1; side <= n - low && row + side <= n && column + side <= n; side++) {
                bool flat = true;
                Key more = 0;
                for (int r = row; r < row + side; r++)
                    for (int c = column; c < column + side; c++) {
                        flat &= height(r * n + c) == low;
                        more += (Key)side << 3 * (r * n + c);
                    }
                if (!flat) break;
                by_volume[volume + side * side * side][key + more] += ways;
            }
        }
        by_volume[volume].clear();
        unordered_map<Key, u64, Hash>().swap(by_volume[volume]);
    }
    Key full = 0;
    for (int at = 0; at < n * n; at++) full |= (Key)n << 3 * at;
    printf("%llu\n", by_volume[n * n * n][full]);
}
