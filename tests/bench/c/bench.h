/* What the yardsticks share: processor time, memory, random numbers, and the line of JSON that each of them prints. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

typedef uint64_t Bits;

static inline double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static inline double peak_mib(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024.0;
}

/* xorshift64* (Vigna 2014) */
static Bits random_state = 0x9E3779B97F4A7C15ull;

static inline Bits random_bits(void) {
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 0x2545F4914F6CDD1Dull;
}

static inline uint32_t below(uint32_t count) { return (uint32_t)(((random_bits() >> 32) * (Bits)count) >> 32); }

static inline int count_bits(Bits set) { return __builtin_popcountll(set); }

/* The member of a set with so many lower ones before it. */
#ifdef __BMI2__
#include <immintrin.h>
static inline Bits nth_bit(Bits set, uint32_t before) { return _pdep_u64(1ull << before, set); }
#else
static inline Bits nth_bit(Bits set, uint32_t before) {
    while (before--) set &= set - 1;
    return set & -set;
}
#endif

/* Plays to the end so many times; a playout adds its plies to `plies` and returns the first player's utility. */
static inline void play_and_report(int (*playout)(long *plies), long count) {
    long plies = 0, total = 0;
    double started = cpu_seconds();
    for (long i = 0; i < count; i++) total += playout(&plies);
    double seconds = cpu_seconds() - started;
    printf("{\"units\": %ld, \"seconds\": %.6f, \"length\": [%.6f, %ld], \"value\": [%.6f, %ld]}\n", count, seconds,
           (double)plies / count, count, (double)total / count, count);
}
