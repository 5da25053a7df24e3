/* mtlcap.hpp, on the simulated Metal. */
#include <atomic>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <mtlcap/mtlcap.hpp>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

static void expect(bool truth, const char *text, int line) {
    if (truth)
        return;
    std::cerr << "test_cpp.cpp:" << line << ": " << text << "\n";
    std::exit(1);
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

template <class Row> static std::string printed(const Row &row) {
    std::ostringstream stream;
    stream << row;
    return stream.str();
}

template <class Failure, class Work> static Failure fails(Work work) {
    try {
        work();
    } catch (const Failure &failure) {
        return failure;
    }
    std::cerr << "it did not fail\n";
    std::exit(1);
}

static std::uint64_t apple() {
    return mtlcap::query("apple").effective.number[0];
}

static void test_apply() {
    const mtlcap::Report report = mtlcap::apply("auto");
    EXPECT(report.profile == "auto" && report.generation == mtlcap::generation());
    EXPECT(printed(report.changes.at(0)) == "apple: 5 -> 7 (auto: apple.min=7)");
    EXPECT(mtlcap::is_active());

    const mtlcap::Answer answer = mtlcap::query("apple");
    EXPECT(answer.kind == MTLCAP_KIND_FAMILY && answer.stock_known && answer.overridden);
    EXPECT(answer.stock.number[0] == 5 && answer.stock.kind == MTLCAP_KIND_FAMILY);
    EXPECT(printed(answer) == "apple: 7 (stock: 5; auto: apple.min=7)");
    EXPECT(printed(mtlcap::query("raytracing")) == "raytracing: yes (stock: no; derived)");
    EXPECT(mtlcap::query("maxThreadsPerThreadgroup").effective.number[2] == 1024);

    mtlcap::restore();
    EXPECT(apple() == 5 && !mtlcap::is_active() && mtlcap::report().generation == 0);
    EXPECT(printed(mtlcap::query("apple")) == "apple: 5");
}

static void test_errors() {
    mtlcap::apply("auto");
    const auto hazard = fails<mtlcap::HazardError>([] { mtlcap::apply("apple.min=9"); });
    EXPECT(hazard.status == MTLCAP_E_HAZARD && hazard.hazard == "beyond-hardware");
    EXPECT(std::string(hazard.what()).find("the silicon is older") != std::string::npos);
    const auto malformed = fails<mtlcap::ProfileError>([] { mtlcap::apply("auto,appel.min=7"); });
    EXPECT(malformed.item == "appel.min=7" && malformed.column == 6 && malformed.line == 0);
    fails<mtlcap::ProfileFileError>([] { mtlcap::apply("@/nowhere"); });
    fails<mtlcap::CapabilityError>([] { mtlcap::query("nonsense"); });
    fails<mtlcap::ArgumentError>([] { mtlcap::apply(std::string("auto\0,lume", 10)); });
    fails<mtlcap::ArgumentError>([] { mtlcap::adopt(nullptr); });
    const char *unset = std::getenv("MTLCAP_TEST_IS_NOT_SET");
    fails<mtlcap::ArgumentError>([=] { mtlcap::apply(unset); });
    fails<mtlcap::ArgumentError>([=] { mtlcap::explain(unset); });
    fails<mtlcap::ArgumentError>([=] { mtlcap::Scope scope(unset); });
    fails<mtlcap::ArgumentError>([=] { mtlcap::query(unset); });
    fails<mtlcap::ArgumentError>([=] { mtlcap::check(unset); });
    fails<mtlcap::Error>([] { mtlcap::apply(""); });
    EXPECT(apple() == 7);
    EXPECT(mtlcap::apply("apple.min=9", "beyond-hardware").allowed == "beyond-hardware");
    mtlcap::restore();
}

static void test_check() {
    const mtlcap::Check unmet = mtlcap::check("apple>=7");
    EXPECT(!unmet.met && unmet.capability == "apple" && unmet.expected == ">=7");
    EXPECT(unmet.found == "5" && printed(unmet) == "expected apple>=7, found 5");
    mtlcap::apply("auto");
    EXPECT(mtlcap::check("apple>=7", mtlcap::devices().at(0).pointer).met);
    mtlcap::restore();
    fails<mtlcap::ArgumentError>([] { mtlcap::check("apple"); });
    fails<mtlcap::CapabilityError>([] { mtlcap::check("appel>=7"); });
}

static void test_tables() {
    const mtlcap::Explanation refused = mtlcap::explain("apple.min=9");
    EXPECT(refused.status == MTLCAP_E_HAZARD && !refused.error.empty() && !mtlcap::is_active());
    EXPECT(refused.findings.at(0).refuses && !refused.findings.at(0).allowed);
    EXPECT(mtlcap::explain("auto").error.empty());
    const mtlcap::Device device = mtlcap::devices().at(0);
    EXPECT(device.paravirtual && !device.adopted && device.name == "Apple Paravirtual device");
    EXPECT(mtlcap::query("apple", device.pointer).effective.text == "5");
    EXPECT(mtlcap::machine().virtual_machine == true && mtlcap::machine().simulated);
    EXPECT(mtlcap::profiles().at(0).name == "stock" && mtlcap::hazards().at(0).refuses);
    EXPECT(mtlcap::version() == mtlcap_version());
}

static void test_scopes() {
    {
        mtlcap::Scope outer("apple.max=4");
        {
            mtlcap::Scope inner("auto");
            EXPECT(apple() == 7);
        }
        EXPECT(apple() == 4);
        fails<mtlcap::HazardError>([] { mtlcap::Scope refused("apple.min=9"); });
        EXPECT(apple() == 4);
    }
    EXPECT(apple() == 5 && !mtlcap::is_active());

    /* What an apply put in force comes back, with its consent. */
    mtlcap::apply("apple.min=9", "beyond-hardware");
    mtlcap::Scope("auto").close();
    EXPECT(apple() == 9 && mtlcap::report().allowed == "beyond-hardware");
    mtlcap::restore();

    /* In any order: the last one to end brings back what there was before all of them. */
    mtlcap::Scope first("apple.max=4");
    mtlcap::Scope second("auto");
    first.close();
    EXPECT(apple() == 7);
    second.close();
    second.close();
    EXPECT(apple() == 5);

    /* What came into force meanwhile stays. */
    mtlcap::Scope left("apple.max=4");
    mtlcap::apply("auto");
    left.close();
    EXPECT(apple() == 7);
    mtlcap::restore();

    /* From several threads: nothing is left in force. */
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back([] {
            for (int k = 0; k < 50; k++)
                mtlcap::Scope scope("apple.max=4");
        });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT(apple() == 5 && mtlcap::generation() == 0);
}

/* C code, or another copy of the header, is around the scope, or within. */
static void test_scopes_of_others() {
    std::uint64_t others = 0;
    mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.generation = &others;
    EXPECT(mtlcap_apply_profile("apple.min=6", &options) == MTLCAP_OK);
    mtlcap::Scope("apple.max=4").close();
    EXPECT(apple() == 6 && mtlcap_restore_generation(others) == MTLCAP_OK);
    EXPECT(apple() == 5);

    mtlcap::Scope outer("apple.min=6");
    options.nested = 1;
    EXPECT(mtlcap_apply_profile("apple.max=4", &options) == MTLCAP_OK);
    EXPECT(mtlcap_restore_generation(others) == MTLCAP_OK && apple() == 6);
    outer.close();
    EXPECT(apple() == 5);
}

static void test_close_by_two_threads() {
    for (int i = 0; i < 500; i++) {
        mtlcap::Scope scope("apple.min=6");
        std::atomic<bool> go{false};
        std::thread other([&] {
            while (!go)
                ;
            scope.close();
        });
        go = true;
        scope.close();
        other.join();
        EXPECT(mtlcap::generation() == 0);
    }
}

/* ---- while a scope is entered ------------------------------------------- */

static std::function<void()> while_entered; /* what the log's handler does, once */

static void enter_logged(const std::function<void()> &meanwhile) {
    while_entered = meanwhile;
    mtlcap_set_log(
        MTLCAP_LOG_INFO,
        [](int, const char *, void *) {
            if (const auto work = std::exchange(while_entered, nullptr))
                work();
        },
        nullptr);
    {
        mtlcap::Scope scope("auto");
        EXPECT(!while_entered && apple() == 7);
    }
    mtlcap_set_log(MTLCAP_LOG_WARNING, nullptr, nullptr);
    EXPECT(apple() == 5 && mtlcap::generation() == 0);
}

static void test_scope_in_a_handler() {
    enter_logged([] {
        mtlcap::Scope scope("apple.min=6");
        EXPECT(apple() == 6);
    });
}

/* A child that is forked while another thread enters one. */
static void test_fork() {
    enter_logged([] {
        std::thread([] {
            const pid_t child = fork();
            if (child == 0) {
                alarm(20);
                mtlcap::Scope scope("apple.min=6");
                _exit(apple() == 6 ? 0 : 1);
            }
            int status = -1;
            EXPECT(waitpid(child, &status, 0) == child && status == 0);
        }).join();
    });
}

int main() {
    alarm(120); /* what waits for itself would not end */
    test_apply();
    test_errors();
    test_check();
    test_tables();
    test_scopes();
    test_scopes_of_others();
    test_close_by_two_threads();
    test_scope_in_a_handler();
    test_fork();
    std::cout << "passed\n";
}
