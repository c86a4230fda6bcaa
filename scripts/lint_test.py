"""Shows that each rule of scripts/lint fires, and only where it should."""

import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
LOADER = importlib.machinery.SourceFileLoader("lint", str(HERE / "lint"))
lint = importlib.util.module_from_spec(importlib.util.spec_from_loader("lint", LOADER))
LOADER.exec_module(lint)


class LintRules(unittest.TestCase):
    def found(self, path, text, compiled=None):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / path
            file.parent.mkdir(parents=True)
            file.write_text(text)
            return list(lint.findings(pathlib.Path(folder), [path], {path} if compiled is None else compiled))

    def test_a_layer_may_not_reach_up(self):
        text = '#include "harness/core/http.h"\n'
        self.assertEqual(len(self.found("reference_impl/service/a.cpp", text)), 1)
        self.assertEqual(self.found("harness/wire/a.cpp", text), [])

    def test_a_library_stays_in_its_folder(self):
        text = "#include <nlohmann/json.hpp>\n"
        self.assertEqual(len(self.found("harness/run/a.cpp", text)), 1)
        self.assertEqual(self.found("harness/wire/a.cpp", text), [])

    def test_the_model_is_pure(self):
        self.assertEqual(len(self.found("reference_impl/model/runs/a.cpp", "#include <random>\n")), 1)
        self.assertEqual(len(self.found("reference_impl/model/runs/a.cpp", "auto t = std::chrono::steady_clock::now();\n")), 1)
        self.assertEqual(self.found("reference_impl/model/runs/a.cpp", "#include <map>\n"), [])

    def test_the_reference_has_no_faults_of_its_own(self):
        for text in ["void end_wrongly();", "struct Deviations {", "// What a broken server does.", "post_carelessly(e);",
                     "no_deviations"]:
            for folder in ["reference_impl/model/status", "reference_impl/service"]:
                self.assertEqual(len(self.found(f"{folder}/a.h", text + "\n")), 1, text)
            self.assertEqual(self.found("reference_impl/faults/a.h", text + "\n"), [], text)

    def test_foreign_phrases_are_found_where_people_read(self):
        for path in ["cli/a.cpp", "docs/a.md"]:
            self.assertEqual(len(self.found(path, "// It ends with 1 where the reference is accused.\n")), 1)
            self.assertEqual(self.found(path, "// It exits with 1 on a false positive.\n"), [])

    def test_no_does_not_stand_for_not(self):
        for path, text in [("cli/a.cpp", 'say("the body is no JSON");'), ("docs/a.md", "Bytes that are no UTF-8 are refused."),
                           ("scenarios/a.yaml", "title: A body that is no JSON is 400")]:
            self.assertEqual(len(self.found(path, text + "\n")), 1, path)
        for path, text in [("cli/a.cpp", "// What is no JSON."), ("cli/a.cpp", 'say("there is no such case, and it is no longer");'),
                           ("docs/a.md", "There is no record; it is not JSON."), ("scenarios/a.yaml", "# This is no end.")]:
            self.assertEqual(self.found(path, text + "\n"), [], path)

    def test_a_specification_is_no_seed(self):
        for path in ["docs/a.md", "core/a.cpp", "core/a.h", "cli/a_test.py", "scenarios/a.yaml", "scripts/a", "a/CMakeLists.txt",
                     "fixtures/spec/a.tsv", "bench/a.js"]:
            for text in ["Seed 001 3.4", "seeds 000 and 001", "the seed-000 suite", "the seed's word", "the seeds' order",
                         "as the seed says", "which they share (seed\n/// 002)"]:
                self.assertEqual(self.found(path, f"{text}\n"), [f"{path}:1: a seed is a number: write specification 00N"])
            self.assertEqual(self.found(path, "Specification 001 3.4; --seed 000; the same seed, 7 seeds and seed 42\n"), [])

    def test_wide_prose_is_found(self):
        wide = "word " * 25
        self.assertEqual(len(self.found("docs/a.md", wide + "\n")), 1)
        for text in [wide[:100], "| " + wide, "    " + wide, f"```\n{wide}\n```"]:
            self.assertEqual(self.found("docs/a.md", text + "\n"), [], text)

    def test_a_source_in_no_target_is_found(self):
        self.assertEqual(len(self.found("harness/core/a_test.cpp", "", compiled=set())), 1)

    def test_a_unit_compiles_what_it_includes(self):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            unit = root / "build" / "Unity" / "unity_0_cxx.cxx"
            unit.parent.mkdir(parents=True)
            unit.write_text(f'/* NOLINT */\n#include "{root}/harness/core/a.cpp"\n')
            entries = [{"file": str(unit)}, {"file": f"{root}/harness/core/b.cpp"}, {"file": "/usr/src/gtest_main.cc"}]
            self.assertEqual(list(lint.compiled_sources(root, entries)), ["harness/core/a.cpp", "harness/core/b.cpp"])

    def test_long_files_are_found(self):
        self.assertEqual(len(self.found("harness/core/a.h", "\n" * (lint.LONGEST_FILE + 1))), 1)
        self.assertEqual(self.found("harness/core/a.h", "\n" * lint.LONGEST_FILE), [])

    def test_what_is_left_to_do_is_found(self):
        self.assertEqual(len(self.found("harness/core/a.h", "// " + "TO" + "DO: later\n")), 1)


if __name__ == "__main__":
    unittest.main()
