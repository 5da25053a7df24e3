/* Plans: building and interning. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

/* All plans, by what they decide. */
enum { BUCKETS = 1024 };
static struct mtlcap__plan *all_plans[BUCKETS];

struct mtlcap__plan mtlcap__empty_plan;

_Atomic(const struct mtlcap__plan *) mtlcap__plan = &mtlcap__empty_plan;

void mtlcap__plan_begin(struct mtlcap__plan_builder *builder) {
    memset(builder, 0, sizeof *builder);
}

static void add_range(struct mtlcap__ranges *ranges, int64_t first, int64_t last, long answer) {
    if (first > last)
        return;
    struct mtlcap__range *range = &ranges->range[ranges->count++];
    *range = (struct mtlcap__range){first, (uint64_t)last - (uint64_t)first + 1, answer};
}

/* Metal's raw number for a bound; below the first if it is off. */
static int64_t raw(const struct mtlcap__bound *bound, const struct mtlcap__capability *capability) {
    return bound->number[0] ? (int64_t)bound->number[0] - capability->named : capability->first - 1;
}

/* What the rule for a yes or no says. */
static bool yes(const struct mtlcap__rule *rule) {
    return rule->min.set ? rule->min.number[0] != 0 : rule->max.number[0] != 0;
}

static void put_ask(struct mtlcap__plan_builder *builder, unsigned hook,
                    const struct mtlcap__capability *capability, const struct mtlcap__rule *rule) {
    struct mtlcap__ranges *ranges = (struct mtlcap__ranges *)builder->plan.ask[hook].all;
    if (!ranges) {
        ranges = &builder->ranges[builder->range_count++];
        builder->plan.ask[hook].all = ranges;
    }
    if (capability->kind == MTLCAP_KIND_BOOL) {
        add_range(ranges, capability->first, capability->last, yes(rule));
        return;
    }
    if (rule->min.set)
        add_range(ranges, capability->first, raw(&rule->min, capability), 1);
    if (rule->max.set)
        add_range(ranges, raw(&rule->max, capability) + 1, mtlcap__capability_reach(capability), 0);
}

static void set_limits(struct mtlcap__limits *limits, const struct mtlcap__rule *rule, size_t i,
                       int64_t named) {
    if (rule->min.set)
        limits->min = rule->min.number[i] - (uint64_t)named;
    if (rule->max.set)
        limits->headroom = UINT64_MAX - (rule->max.number[i] - (uint64_t)named);
}

void mtlcap__plan_put(struct mtlcap__plan_builder *builder, unsigned hook,
                      const struct mtlcap__capability *capability,
                      const struct mtlcap__rule *rule) {
    struct mtlcap__plan *plan = &builder->plan;
    plan->active = true;
    switch (capability->shape) {
    case MTLCAP__ASK_BOOL:
        plan->yes_no[hook] = yes(rule) ? MTLCAP__YES : MTLCAP__NO;
        break;
    case MTLCAP__ASK_ID:
    case MTLCAP__ASK_COUNT:
        put_ask(builder, hook, capability, rule);
        break;
    case MTLCAP__ASK_WORD:
        plan->has_word[hook] = true;
        set_limits(&plan->word[hook], rule, 0, capability->named);
        break;
    case MTLCAP__ASK_SIZE3:
        plan->has_size3[hook] = true;
        for (size_t i = 0; i < 3; i++)
            set_limits(&plan->size3[hook][i], rule, i, 0);
        break;
    default:
        break; /* can only be asked: the profile language refuses rules for it */
    }
}

bool mtlcap__plan_has_rule(const struct mtlcap__plan *plan, unsigned hook,
                           const struct mtlcap__capability *capability) {
    const struct mtlcap__ranges *ranges;
    switch (capability->shape) {
    case MTLCAP__ASK_BOOL:
        return plan->yes_no[hook] != MTLCAP__PASS;
    case MTLCAP__ASK_ID:
    case MTLCAP__ASK_COUNT:
        ranges = plan->ask[hook].all;
        for (size_t i = 0; ranges && i < ranges->count; i++)
            if (mtlcap__capability_speaks_of(capability, ranges->range[i].first))
                return true;
        return false;
    case MTLCAP__ASK_WORD:
        return plan->has_word[hook];
    case MTLCAP__ASK_SIZE3:
        return plan->has_size3[hook];
    default:
        return false;
    }
}

static bool same_ranges(const struct mtlcap__ranges *a, const struct mtlcap__ranges *b) {
    if (a == b)
        return true;
    return a && b && a->count == b->count &&
           memcmp(a->range, b->range, a->count * sizeof a->range[0]) == 0;
}

static bool same_plan(const struct mtlcap__plan *a, const struct mtlcap__plan *b) {
    for (size_t i = 0; i < MTLCAP__ASK_HOOKS; i++)
        if (!same_ranges(a->ask[i].all, b->ask[i].all))
            return false;
    return a->active == b->active && memcmp(a->yes_no, b->yes_no, sizeof a->yes_no) == 0 &&
           memcmp(a->word, b->word, sizeof a->word) == 0 &&
           memcmp(a->size3, b->size3, sizeof a->size3) == 0 &&
           memcmp(a->has_word, b->has_word, sizeof a->has_word) == 0 &&
           memcmp(a->has_size3, b->has_size3, sizeof a->has_size3) == 0;
}

/* FNV-1a, by words. What is left at the end does not count. */
static uint64_t hash_words(uint64_t hash, const void *words, size_t size) {
    for (size_t at = 0; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, (const char *)words + at, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32; /* or high bits would never reach the bucket */
    }
    return hash;
}

/* The bucket of a plan: equal plans share one. */
static struct mtlcap__plan **bucket_of(const struct mtlcap__plan *plan) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    hash = hash_words(hash, plan->yes_no, sizeof plan->yes_no);
    hash = hash_words(hash, plan->word, sizeof plan->word);
    hash = hash_words(hash, plan->size3, sizeof plan->size3);
    for (size_t i = 0; i < MTLCAP__ASK_HOOKS; i++) {
        const struct mtlcap__ranges *ranges = plan->ask[i].all;
        if (ranges)
            hash = hash_words(hash ^ i, ranges->range, ranges->count * sizeof ranges->range[0]);
    }
    return &all_plans[hash % BUCKETS];
}

static void put_first_ranges_at_hand(struct mtlcap__plan *plan) {
    for (size_t i = 0; i < MTLCAP__ASK_HOOKS; i++)
        if (plan->ask[i].all && plan->ask[i].all->count)
            plan->ask[i].first = plan->ask[i].all->range[0];
}

const struct mtlcap__plan *mtlcap__plan_finish(struct mtlcap__plan_builder *builder) {
    if (!builder->plan.active)
        return &mtlcap__empty_plan;
    put_first_ranges_at_hand(&builder->plan);
    struct mtlcap__plan **bucket = bucket_of(&builder->plan);
    for (struct mtlcap__plan *plan = *bucket; plan; plan = plan->next)
        if (same_plan(plan, &builder->plan))
            return plan;
    const size_t ranges = builder->range_count * sizeof builder->ranges[0];
    struct mtlcap__plan *plan = malloc(sizeof *plan + ranges);
    if (!plan)
        return NULL;
    memcpy(plan, &builder->plan, sizeof *plan);
    struct mtlcap__ranges *copies = memcpy(plan + 1, builder->ranges, ranges);
    for (size_t i = 0; i < MTLCAP__ASK_HOOKS; i++)
        if (plan->ask[i].all)
            plan->ask[i].all = &copies[plan->ask[i].all - builder->ranges];
    plan->next = *bucket;
    *bucket = plan;
    return plan;
}
