// What is known about one task of a scan, in a file of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "interface/interface.h"

namespace tacit {

enum class TaskStatus {
  Proved,    // safe and permissive
  Safe,      // proved safe, permissiveness is open
  Open,      // neither
  NoErrors,  // nothing in it counts as an error: there is no protocol
  NotRead,   // it could not be lowered
  Crashed,   // the worker died
  OutOfTime, // and had to be stopped
};
std::string to_string(TaskStatus status);

struct TaskRecord {
  std::string name, id, group;
  std::string stamp; // of the sources, options and program: unchanged means nothing to do
  std::string key;   // of the lowered program, options and program
  TaskStatus status = TaskStatus::Open;
  std::string reason; // in words, where there is no result
  std::size_t states = 0, calls = 0, tracked = 0, guards = 0, sites = 0, assumptions = 0, aside = 0;
  std::vector<std::string> errors;
  std::vector<std::string> findings; // worth a look
  std::size_t milliseconds = 0;

  bool has_result() const {
    return status == TaskStatus::Proved || status == TaskStatus::Safe || status == TaskStatus::Open;
  }
};

/// What a result says, for the record.
TaskRecord record_of(const Interface& interface);

std::string to_json(const TaskRecord& record);
Result<TaskRecord> read_record(const std::string& path);

} // namespace tacit
