/* A yardstick: the card play of Jass in scalar C, one deal after the other.
 *
 *     cc -O3 -march=native -o jass_cardplay jass_cardplay.c && ./jass_cardplay 3000000 1
 *
 * A deal is 36 cards dealt uniformly to four hands, a uniformly random trump suit, and nine tricks in
 * which every player plays a uniformly random legal card: follow suit or ruff, never under a trump on
 * the table unless nothing else is left, and never forced to play the jack of trumps. Points of the
 * cards and five for the last trick; every deal is checked to hand out 157.
 *
 * There is no bidding, no Weis, no score and no history: it does less than the engine it is compared
 * with. A hand is a 36-bit set; pdep picks a card by its index. Prints deals per second, the mean points
 * of seats 0 and 2, who lead first, and the mean number of legal cards at a play; a test compares both
 * means with the engine's.
 */
#include <immintrin.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RANKS = 9, CARDS = 36, SEATS = 4, LAST_TRICK = 5, ALL_POINTS = 157, JACK = 5, NINE = 3 };

/* Ranks are 6 7 8 9 T J Q K A. */
static const uint8_t PLAIN_POINTS[RANKS] = {0, 0, 0, 0, 10, 2, 3, 4, 11};
static const uint8_t TRUMP_POINTS[RANKS] = {0, 0, 0, 14, 10, 20, 3, 4, 11};

static uint8_t points_of[2][CARDS];   /* by trump or not, by card */
static uint8_t strength_of[2][RANKS]; /* what beats what within a suit */
static uint16_t trumps_above[RANKS];  /* ranks that beat a trump */

static void fill_tables(void) {
    for (int rank = 0; rank < RANKS; rank++) {
        strength_of[0][rank] = (uint8_t)(rank + 1);
        strength_of[1][rank] = (uint8_t)(rank == JACK ? 30 : rank == NINE ? 29 : 20 + rank);
    }
    for (int rank = 0; rank < RANKS; rank++)
        for (int other = 0; other < RANKS; other++)
            if (strength_of[1][other] > strength_of[1][rank])
                trumps_above[rank] |= (uint16_t)(1u << other);
    for (int card = 0; card < CARDS; card++) {
        points_of[0][card] = PLAIN_POINTS[card % RANKS];
        points_of[1][card] = TRUMP_POINTS[card % RANKS];
    }
}

/* xoroshiro128+, of D. Blackman and S. Vigna (public domain); its upper half is used. */
static uint64_t random_a, random_b;

static inline uint32_t random_word(void) {
    const uint64_t sum = random_a + random_b;
    const uint64_t mixed = random_b ^ random_a;
    random_a = ((random_a << 24) | (random_a >> 40)) ^ mixed ^ (mixed << 16);
    random_b = (mixed << 37) | (mixed >> 27);
    return (uint32_t)(sum >> 32);
}

static inline uint32_t random_below(uint32_t bound) {
    return (uint32_t)(((uint64_t)random_word() * bound) >> 32);
}

static inline void deal(uint64_t hands[SEATS]) {
    uint8_t deck[CARDS];
    for (int i = 0; i < CARDS; i++) deck[i] = (uint8_t)i;
    for (int i = CARDS - 1; i > 0; i--) {
        const uint32_t j = random_below((uint32_t)i + 1);
        const uint8_t card = deck[j];
        deck[j] = deck[i];
        deck[i] = card;
    }
    for (int seat = 0; seat < SEATS; seat++) {
        uint64_t hand = 0;
        for (int i = 0; i < RANKS; i++) hand |= 1ull << deck[RANKS * seat + i];
        hands[seat] = hand;
    }
}

/* What may follow a led suit; `best` is the winning card so far, as suit and rank. */
static inline uint64_t legal(uint64_t hand, int trump, int led, int best_suit, int best_rank) {
    const int shift = RANKS * trump;
    const uint64_t trumps = hand & (0x1FFull << shift);
    if (led == trump) {
        const uint64_t jack = 1ull << (shift + JACK);
        return trumps & ~jack ? trumps : hand;
    }
    const uint64_t may_ruff = best_suit == trump ? trumps_above[best_rank] : 0x1FFull;
    const uint64_t ruffs = trumps & (may_ruff << shift);
    const uint64_t follow = hand & (0x1FFull << (RANKS * led));
    if (follow) return follow | ruffs;
    return hand == trumps ? hand : (hand & ~trumps) | ruffs;
}

/* Plays a deal; returns the points of seats 0 and 2, and adds up the legal cards of all plays. */
static inline int play(uint64_t hands[SEATS], int trump, int64_t *num_legal) {
    int points[2] = {0, 0};
    int leader = 0;
    uint32_t legal_cards = 0;
    for (int trick = 0; trick < RANKS; trick++) {
        int led = 0, best_suit = 0, best_rank = 0, best_seat = leader, worth = 0, best = -1;
        for (int i = 0; i < SEATS; i++) {
            const int seat = (leader + i) & 3;
            const uint64_t hand = hands[seat];
            const uint64_t may = i ? legal(hand, trump, led, best_suit, best_rank) : hand;
            const uint32_t choices = (uint32_t)_mm_popcnt_u64(may);
            const uint32_t index = random_below(choices);
            const int card = (int)_tzcnt_u64(_pdep_u64(1ull << index, may));
            hands[seat] = hand & ~(1ull << card);
            legal_cards += choices;
            const int suit = card / RANKS, rank = card % RANKS;
            const bool is_trump = suit == trump;
            if (!i) led = suit;
            worth += points_of[is_trump][card];
            const int strength = is_trump || suit == led ? strength_of[is_trump][rank] : 0;
            if (strength > best) {
                best = strength;
                best_suit = suit;
                best_rank = rank;
                best_seat = seat;
            }
        }
        points[best_seat & 1] += worth + (trick == RANKS - 1 ? LAST_TRICK : 0);
        leader = best_seat;
    }
    if (points[0] + points[1] != ALL_POINTS) {
        fprintf(stderr, "jass_cardplay: a deal of %d points\n", points[0] + points[1]);
        exit(1);
    }
    *num_legal += legal_cards;
    return points[0];
}

int main(int argc, char **argv) {
    const long deals = argc == 3 ? atol(argv[1]) : 0;
    if (deals < 1) {
        fprintf(stderr, "usage: jass_cardplay DEALS SEED\n");
        return 2;
    }
    random_a = 0x9E3779B97F4A7C15ull * (strtoull(argv[2], NULL, 10) + 1);
    random_b = ~random_a;
    fill_tables();
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    int64_t total = 0, num_legal = 0;
    for (long i = 0; i < deals; i++) {
        uint64_t hands[SEATS];
        deal(hands);
        total += play(hands, (int)(random_word() >> 30), &num_legal);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    const double seconds =
        (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    printf("%.1f %.4f %.4f\n", (double)deals / seconds, (double)total / (double)deals,
           (double)num_legal / (double)(CARDS * deals));
    return 0;
}
